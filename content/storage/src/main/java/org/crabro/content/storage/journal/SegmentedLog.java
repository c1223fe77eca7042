package org.crabro.content.storage.journal;

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
 * A log of numbered records in files that are reused.
 *
 * <p>Each batch of records is committed with one write and one force. All records in the log are
 * durable, except those of the batch that is being written. A file has a fixed maximum size, unless
 * a single batch is larger. When {@link #release} has covered all records of a file, the log
 * overwrites it, the oldest file first. {@link SegmentHeader} and {@link BatchLayout} describe the
 * bytes.
 *
 * {@snippet :
 * try (SegmentedLog log = SegmentedLog.open(files, "journal", 64 << 20, 1, replay)) {
 *     long first = log.commit(List.of(LogRecord.of(bytes), LogRecord.of(more)));
 *     log.release(first);
 * }
 * }
 *
 * <p>Thread-safe. One thread writes at a time.
 */
public final class SegmentedLog implements AutoCloseable {
    /** The smallest size of a segment. */
    public static final int SEGMENT_BYTES_MIN = 16 << 10;

    /** The bytes that a record needs in addition to its own. */
    public static final int RECORD_OVERHEAD = BatchLayout.RECORD_HEADER;

    /** The largest size of a segment. */
    public static final int SEGMENT_BYTES_MAX = 1 << 30;

    /** The largest record: a file of the largest size holds only this record. */
    public static final int RECORD_BYTES_MAX = recordBytes(SEGMENT_BYTES_MAX);

    private static final int ZEROS = 1 << 20;
    private static final int FIRST_BATCH_CAPACITY = 64 << 10;

    /** The buffer of a larger batch is not reused. */
    private static final int KEPT_CAPACITY = 4 << 20;

    private final LogFiles files;
    private final String directory;
    private final long segmentBytes;

    /**
     * Guards the lists of segments and the released number. It is not held while a batch is written
     * or forced, so releasing does not wait for the device. Acquired after the lock of this object.
     */
    private final Object segments = new Object();

    /** In the order of their numbers; batches are written to the last. */
    private final Deque<Segment> needed = new ArrayDeque<>();

    /** In the order of their release. */
    private final Deque<Segment> free = new ArrayDeque<>();

    private final ByteBuffer zeros;
    private ByteBuffer batch = batch(FIRST_BATCH_CAPACITY);
    private LogPosition durable;
    private int slots;
    private int lastSegment;

    /** The oldest segment that the last batch marks as needed. */
    private int durableOldest;

    private long nextNumber;
    private Progress progress = (_, _) -> {};

    /** No record up to this number is needed. */
    private long released;

    /** Whether the next batch starts a new segment. */
    private boolean mustBegin;

    private @Nullable IOException failure;

    // Volatile: other threads read it during a force.
    private volatile long bytes;

    /** Receives the records that are found when a log is opened, in order. */
    @FunctionalInterface
    public interface Replay {
        /**
         * Receives the next record.
         *
         * @param number the number of the record
         * @param record valid until this returns
         */
        void record(long number, ByteBuffer record) throws IOException;
    }

    /** Receives the progress of the log, on the writing thread. */
    @FunctionalInterface
    public interface Progress {
        /**
         * Receives the number of the last durable record.
         *
         * @param isKept whether this number should be stored outside the log: with the first batch
         *     of a file, so that a later start can detect that the file is missing, and at the end
         */
        void durable(long number, boolean isKept);
    }

    SegmentedLog(LogFiles files, String directory, long segmentBytes, JournalRecovery recovery) {
        this.files = files;
        this.directory = directory;
        this.segmentBytes = segmentBytes;
        this.zeros = ByteBuffer.allocateDirect((int) Math.min(ZEROS, segmentBytes));
        this.needed.addAll(recovery.needed());
        this.free.addAll(recovery.free());
        this.slots = recovery.slots();
        this.lastSegment = recovery.lastSegment();
        this.durableOldest = recovery.oldest();
        this.nextNumber = recovery.nextNumber();
        this.durable =
                needed.isEmpty()
                        ? new LogPosition(0, 0)
                        : new LogPosition(needed.getLast().number, needed.getLast().end);
        countBytes();
    }

    /**
     * Opens the log in {@code directory}, or creates one. Passes every record in it to {@code
     * replay}. All of them are durable then, including records that were never acknowledged.
     *
     * @param segmentBytes size of new files, a multiple of 512
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
     * Opens the log in {@code directory}, or creates one.
     *
     * @param lost receives copies of bytes at the end of the log that are not a whole batch
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
     * Creates a log in an empty directory, to follow the records of another log.
     *
     * @param firstNumber the number of its first record
     */
    public static SegmentedLog beginBehind(
            LogFiles files, String directory, int segmentBytes, long firstNumber)
            throws IOException {
        if (exists(files, directory)) {
            throw new IllegalStateException("a log already exists in " + directory);
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

    /** Reports durable records to {@code other} from now on. */
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
     * @param records at least one. A single record may have {@link #RECORD_BYTES_MAX} bytes;
     *     several together have at most {@link #recordBytesMax}.
     * @return the number of the first record; the numbers of the others follow it
     * @throws IOException if the write failed. The log then accepts no more records, because the
     *     state of the device is unknown.
     */
    public synchronized long commit(List<? extends LogRecord> records) throws IOException {
        if (failure != null) {
            throw new IOException("the journal failed earlier: " + failure.getMessage(), failure);
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

    /**
     * Returns whether the segment can be reused. Until a durable batch marks a segment as not
     * needed, its loss would be corruption.
     */
    private boolean mayBeWrittenOver(Segment segment, long bytes) {
        return segment.number < durableOldest && SegmentHeader.LENGTH + bytes <= segment.size();
    }

    /** Returns whether a directory contains files of a log. */
    public static boolean exists(LogFiles files, String directory) throws IOException {
        return files.list(directory).stream().anyMatch(Segment::isName);
    }

    /**
     * Creates the first file of an empty log, durably. A start can then distinguish a lost log from
     * one that never existed.
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
     * Deletes released files, in the order of their release, until at most {@code spares} are left
     * and all of them were released at or after {@code before}.
     *
     * <p>A file stays until a durable batch records its release, and the current file always stays.
     * If that keeps files for too long, this commits {@code marker}, either as an ordinary record
     * or as the first record of a new file, so that the previous file can be released.
     *
     * @param now also used for files whose release time is unknown
     * @param before files released earlier are deleted
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

    /**
     * Deletes the files that can be deleted. Returns whether a marker would make more deletable.
     */
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

    /** Returns the number of files that are kept for reuse. */
    public int spares() {
        synchronized (segments) {
            return free.size();
        }
    }

    /** Releases all records up to {@code number}; their files may be reused. */
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
