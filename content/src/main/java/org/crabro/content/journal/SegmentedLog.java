package org.crabro.content.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A log of numbered records in files that are used again and again.
 *
 * <p>Records are committed batch by batch: one write and one force each, so whatever is in the log
 * is durable but for the batch being written. Files hold up to a fixed size, or one batch that is
 * larger; those whose records {@link #release} named are written over, the oldest first. How the
 * bytes lie is told in {@link SegmentHeader} and {@link BatchLayout}.
 *
 * {@snippet :
 * try (SegmentedLog log = SegmentedLog.open(files, "journal", 64 << 20, 1, replay)) {
 *     long first = log.commit(List.of(LogRecord.of(bytes), LogRecord.of(more)));
 *     log.release(first);
 * }
 * }
 *
 * <p>Safe for use by several threads, one at a time.
 */
public final class SegmentedLog implements AutoCloseable {
    /** The smallest size of a segment. */
    public static final int SEGMENT_BYTES_MIN = 16 << 10;

    /** What a record takes besides its own bytes. */
    public static final int RECORD_OVERHEAD = BatchLayout.RECORD_HEADER;

    /** The largest size of a segment. */
    public static final int SEGMENT_BYTES_MAX = 1 << 30;

    /** The largest record: one that has a file of the largest size for itself. */
    public static final int RECORD_BYTES_MAX = recordBytes(SEGMENT_BYTES_MAX);

    private static final int ZEROS = 1 << 20;
    private static final int FIRST_BATCH_CAPACITY = 64 << 10;

    /** The memory of a larger batch is let go of with it. */
    private static final int KEPT_CAPACITY = 4 << 20;

    private final LogFiles files;
    private final String directory;
    private final long segmentBytes;

    /**
     * Guards which segments there are, and what of them is needed; no batch is written or forced
     * meanwhile, so that releasing does not wait for the device. Taken behind the lock of this.
     */
    private final Object segments = new Object();

    /** In the order of their numbers; batches go to the last. */
    private final Deque<Segment> needed = new ArrayDeque<>();

    /** In the order of their release. */
    private final Deque<Segment> free = new ArrayDeque<>();

    private final ByteBuffer zeros;
    private ByteBuffer batch = batch(FIRST_BATCH_CAPACITY);
    private LogPosition durable;
    private int slots;
    private int lastSegment;

    /** The oldest segment that the last batch calls needed. */
    private int durableOldest;

    private long nextNumber;
    private Progress progress = (_, _) -> {};

    /** Up to where no record is needed. */
    private long released;

    /** Whether the next batch goes to another file than the last. */
    private boolean mustBegin;

    private @Nullable IOException failure;

    // Asked for by many while a force is under way.
    private volatile long bytes;

    /** Takes the records found when a log is opened, in order. */
    @FunctionalInterface
    public interface Replay {
        /**
         * Takes the next record.
         *
         * @param number of the record
         * @param record valid until this returns
         */
        void record(long number, ByteBuffer record) throws IOException;
    }

    /** Is told how far the log has come, by the thread that writes. */
    @FunctionalInterface
    public interface Progress {
        /**
         * Takes the number of the last record that is durable.
         *
         * @param isKept whether it is worth keeping outside of the log: with the first batch of a
         *     file, without which nothing would tell that the file is missing, and at the end
         */
        void durable(long number, boolean isKept);
    }

    SegmentedLog(LogFiles files, String directory, long segmentBytes, JournalRecovery found) {
        this.files = files;
        this.directory = directory;
        this.segmentBytes = segmentBytes;
        this.zeros = ByteBuffer.allocateDirect((int) Math.min(ZEROS, segmentBytes));
        this.needed.addAll(found.needed());
        this.free.addAll(found.free());
        this.slots = found.slots();
        this.lastSegment = found.lastSegment();
        this.durableOldest = found.oldest();
        this.nextNumber = found.nextNumber();
        this.durable =
                needed.isEmpty()
                        ? new LogPosition(0, 0)
                        : new LogPosition(needed.getLast().number, needed.getLast().end);
        countBytes();
    }

    /**
     * Opens the log in {@code directory}, or begins one. Gives every record in it to {@code
     * replay}; all of them are durable then, also those that nobody was told of.
     *
     * @param segmentBytes size of files that are made from now on, a multiple of 512
     * @param firstNumber the lowest number that a new record may get
     * @throws CorruptJournalException if records that were durable cannot be read
     */
    public static SegmentedLog open(
            LogFiles files, String directory, int segmentBytes, long firstNumber, Replay replay)
            throws IOException {
        var lost = new LostFiles(files, InstantSource.system());
        return open(files, directory, segmentBytes, firstNumber, replay, lost);
    }

    /**
     * Does the same.
     *
     * @param lost receives copies of bytes at the end of the log that are no whole batch
     */
    public static SegmentedLog open(
            LogFiles files,
            String directory,
            int segmentBytes,
            long firstNumber,
            Replay replay,
            LostFiles lost)
            throws IOException {
        if (segmentBytes < SEGMENT_BYTES_MIN
                || segmentBytes > SEGMENT_BYTES_MAX
                || segmentBytes % LogPosition.ALIGNMENT != 0) {
            throw new IllegalArgumentException("segmentBytes is " + segmentBytes);
        }
        var recovery = new JournalRecovery(files, directory, segmentBytes, lost);
        try {
            recovery.run(firstNumber, replay);
        } catch (IOException | RuntimeException e) {
            recovery.close();
            throw e;
        }
        return new SegmentedLog(files, directory, segmentBytes, recovery);
    }

    /**
     * Begins a log where there is none, behind the records of another that are not in it.
     *
     * @param firstNumber of its first record
     */
    public static SegmentedLog beginBehind(
            LogFiles files, String directory, int segmentBytes, long firstNumber)
            throws IOException {
        if (exists(files, directory)) {
            throw new IllegalStateException("there is a log in " + directory);
        }
        SegmentedLog log = open(files, directory, segmentBytes, 1, (_, _) -> {});
        synchronized (log) {
            log.nextNumber = firstNumber;
        }
        return log;
    }

    /** Returns the size of the largest record that fits into a file of the usual size. */
    public int recordBytesMax() {
        return recordBytes(segmentBytes);
    }

    private static int recordBytes(long segmentBytes) {
        return (int)
                (segmentBytes
                        - SegmentHeader.LENGTH
                        - BatchLayout.RECORDS_OFFSET
                        - BatchLayout.RECORD_HEADER);
    }

    /** Has {@code other} told of what is durable from now on. */
    public synchronized void reportTo(Progress other) {
        progress = other;
    }

    /** Returns the number that the next record gets. */
    public synchronized long nextNumber() {
        return nextNumber;
    }

    /** Returns the bytes of batches that are not released. */
    public long bytes() {
        return bytes;
    }

    private void countBytes() {
        bytes = needed.stream().mapToLong(segment -> segment.end).sum();
    }

    /**
     * Writes {@code records} as one batch and returns when they are durable.
     *
     * @param records at least one; together no larger than {@link #recordBytesMax}, unless there is
     *     only one, which may have {@link #RECORD_BYTES_MAX}
     * @return the number of the first; the others follow on
     * @throws IOException if that failed; then the log takes no more, as nobody can say what of it
     *     is on the device
     */
    public synchronized long commit(List<? extends LogRecord> records) throws IOException {
        if (failure != null) {
            throw new IOException("the journal failed before: " + failure.getMessage(), failure);
        }
        return commit(records, true);
    }

    private long commit(List<? extends LogRecord> records, boolean isNeeded) throws IOException {
        try {
            return write(records, isNeeded);
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    private long write(List<? extends LogRecord> records, boolean isNeeded) throws IOException {
        int size = sizeOf(records);
        if (size > KEPT_CAPACITY) {
            try (Arena once = Arena.ofConfined()) {
                ByteBuffer large = once.allocate(size).asByteBuffer();
                return write(records, large.order(ByteOrder.LITTLE_ENDIAN), isNeeded);
            }
        }
        if (size > batch.capacity()) {
            batch = batch(size);
        }
        return write(records, batch, isNeeded);
    }

    private long write(List<? extends LogRecord> records, ByteBuffer into, boolean isNeeded)
            throws IOException {
        into.clear().position(BatchLayout.RECORDS_OFFSET);
        for (LogRecord each : records) {
            into.putInt(each.size());
            each.putTo(into);
        }
        Segment segment;
        int oldest;
        synchronized (segments) {
            segment = roomFor(BatchLayout.size(into.position() - BatchLayout.RECORDS_OFFSET));
            oldest = needed.getFirst().number;
        }
        BatchLayout.seal(into, segment.number, oldest, nextNumber, durable);
        boolean isFirst = segment.end == SegmentHeader.LENGTH;
        segment.write(into, zeros);
        segment.force();
        durable = new LogPosition(segment.number, segment.end);
        long first = nextNumber;
        nextNumber += records.size();
        progress.durable(nextNumber - 1, isFirst);
        synchronized (segments) {
            durableOldest = oldest;
            if (isNeeded) {
                segment.lastNumber = nextNumber - 1;
                segment.hasRecords = true;
            }
            countBytes();
        }
        return first;
    }

    private int sizeOf(List<? extends LogRecord> records) {
        long length = 0;
        for (LogRecord each : records) {
            length += BatchLayout.RECORD_HEADER + each.size();
        }
        int most = records.size() == 1 ? RECORD_BYTES_MAX : recordBytesMax();
        long largest = BatchLayout.RECORD_HEADER + (long) most;
        if (records.isEmpty() || length > largest) {
            throw new IllegalArgumentException(
                    "%d records of %d bytes".formatted(records.size(), length));
        }
        return (int) BatchLayout.size(length);
    }

    private Segment roomFor(long bytes) throws IOException {
        Segment last = needed.peekLast();
        if (last != null && last.hasRoom(bytes) && !mustBegin) {
            return last;
        }
        mustBegin = false;
        Segment next = free.peek();
        if (next != null && mayBeWrittenOver(next, bytes)) {
            free.remove();
        } else {
            long size = Math.max(segmentBytes, SegmentHeader.LENGTH + bytes);
            next = Segment.create(files, directory, slots, size);
            slots++;
        }
        lastSegment++;
        next.begin(lastSegment);
        next.since = Instant.MAX;
        needed.add(next);
        return next;
    }

    /** Until a durable batch says that a segment is not needed, its loss would be corruption. */
    private boolean mayBeWrittenOver(Segment segment, long bytes) {
        return segment.number < durableOldest && SegmentHeader.LENGTH + bytes <= segment.size();
    }

    /** Returns whether there are files of a log in a directory. */
    public static boolean exists(LogFiles files, String directory) throws IOException {
        return files.list(directory).stream().anyMatch(Segment::isName);
    }

    /**
     * Makes the first file of a log that has none, durably: from then on a log that is gone can be
     * told from one that never was.
     */
    public synchronized void begin() throws IOException {
        synchronized (segments) {
            if (needed.isEmpty() && free.isEmpty()) {
                free.add(Segment.create(files, directory, slots, segmentBytes));
                slots++;
            }
        }
    }

    /**
     * Deletes released files, those that were released longest ago first, until no more than so
     * many are left and none was released before a time.
     *
     * <p>A file must stay until a durable batch tells of its release, and the one that is written
     * to stays anyway. Where that keeps files for too long, {@code marker} is committed: as a
     * record like others, or as the first one of a new file, so that the last can be released.
     *
     * @param now also the time that files count from whose own is not known
     * @param before from which on released bytes may stay
     */
    public synchronized void trim(int spares, Instant now, Instant before, LogRecord marker)
            throws IOException {
        if (failure == null && deleteSpares(spares, now, before)) {
            commit(List.of(marker), false);
            synchronized (segments) {
                release(released);
                deleteSpares(spares, before);
            }
        }
    }

    /** Deletes what may be deleted, and returns whether a marker would let more go. */
    private boolean deleteSpares(int spares, Instant now, Instant before) throws IOException {
        synchronized (segments) {
            release(released);
            for (Segment each : free) {
                each.since = each.since.equals(Instant.MAX) ? now : each.since;
            }
            Segment last = needed.peekLast();
            if (last == null) {
                return false;
            }
            last.since = last.since.equals(Instant.MAX) ? now : last.since;
            deleteSpares(spares, before);
            boolean isTooMuchLeft =
                    free.size() > spares || free.stream().anyMatch(each -> isOld(each, before));
            mustBegin = isReleased(last) && isOld(last, before);
            return mustBegin || (isTooMuchLeft && durableOldest < needed.getFirst().number);
        }
    }

    private boolean isReleased(Segment last) {
        return needed.size() == 1 && last.hasRecords && last.lastNumber <= released;
    }

    private static boolean isOld(Segment segment, Instant before) {
        return segment.since.isBefore(before);
    }

    private void deleteSpares(int spares, Instant before) throws IOException {
        boolean isDeleted = false;
        while (!free.isEmpty()
                && free.getFirst().number < durableOldest
                && (free.size() > spares || isOld(free.getFirst(), before))) {
            free.removeFirst().delete(files);
            isDeleted = true;
        }
        if (isDeleted) {
            files.forceDirectory(directory);
        }
    }

    /** Returns how many files are kept to be used again. */
    public int spares() {
        synchronized (segments) {
            return free.size();
        }
    }

    /** Says that no record up to {@code number} is needed any more; its file may be used again. */
    public void release(long number) {
        synchronized (segments) {
            released = Math.max(released, number);
            while (needed.size() > 1 && needed.getFirst().lastNumber <= number) {
                Segment segment = needed.removeFirst();
                segment.since = Instant.MAX;
                free.add(segment);
            }
            countBytes();
        }
    }

    private static ByteBuffer batch(int capacity) {
        return ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public synchronized void close() throws IOException {
        if (failure == null) {
            progress.durable(nextNumber - 1, true);
        }
        failure = new IOException("the journal is closed");
        synchronized (segments) {
            for (Segment segment : needed) {
                segment.close();
            }
            for (Segment segment : free) {
                segment.close();
            }
        }
    }
}
