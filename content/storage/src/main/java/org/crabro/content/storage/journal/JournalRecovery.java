package org.crabro.content.storage.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.crabro.content.storage.journal.SegmentReader.Batch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the records of a journal at start, after a crash or a clean stop.
 *
 * <p>The last whole batch of the newest segment names the needed segments. Recovery reads them in
 * order, up to the first bad batch of the newest segment. It reports corruption in three cases: a
 * bad batch in an earlier segment, a missing segment that is needed, or a later batch that marks
 * the bad batch as durable. Otherwise the bad bytes are the torn tail of a batch that was never
 * acknowledged, and the next batch overwrites them.
 */
final class JournalRecovery implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JournalRecovery.class);

    private final LogFiles files;
    private final String directory;
    private final long segmentBytes;
    private final LostFiles lost;

    /** Every segment that has a first batch, by segment number. */
    private final NavigableMap<Integer, Segment> begun = new TreeMap<>();

    /** The segments without one: never used, or torn in their first batch. */
    private final List<Segment> blank = new ArrayList<>();

    private int slots;
    private int oldest;
    private long nextNumber;

    /** The start of the last batch that was read. */
    private long lastBatch;

    /**
     * @param lost receives copies of bytes that will be overwritten
     */
    JournalRecovery(LogFiles files, String directory, long segmentBytes, LostFiles lost) {
        this.files = files;
        this.directory = directory;
        this.segmentBytes = segmentBytes;
        this.lost = lost;
    }

    void run(long firstNumber, SegmentedLog.Replay replay) throws IOException {
        for (String name : files.list(directory)) {
            if (Segment.isName(name)) {
                openSegment(directory + "/" + name);
                slots = Math.max(slots, 1 + Integer.parseInt(name.split("\\.", 2)[0]));
            }
        }
        if (begun.isEmpty()) {
            refuseLaterBatches(new LogPosition(0, 0));
            if (firstNumber > 1) {
                throw new CorruptJournalException(
                        blank.isEmpty() ? directory : blank.getFirst().path(),
                        SegmentHeader.LENGTH,
                        "a batch, as there were records up to number " + (firstNumber - 1),
                        "no whole batch in any file");
            }
            nextNumber = firstNumber;
            keepBlankTails(0);
            forceBlank();
            return;
        }
        Segment newest = begun.lastEntry().getValue();
        walk(newest, (_, _) -> {});
        requireNeeded();
        replayNeeded(replay);
        refuseLaterBatches(new LogPosition(newest.number, newest.end));
        if (nextNumber < firstNumber) {
            throw new CorruptJournalException(
                    newest.path(),
                    newest.end,
                    "records up to number " + (firstNumber - 1),
                    "none after number " + (nextNumber - 1));
        }
        keepTail(newest, newest.end, newest.number);
        keepBlankTails(newest.number);
        warnOfCut(newest);
        forceBlank();
        newest.writeAgain(lastBatch, newest.end);
        newest.force();
    }

    private void keepBlankTails(int newest) throws IOException {
        for (Segment segment : blank) {
            keepTail(segment, SegmentHeader.LENGTH, newest + 1);
        }
    }

    private void keepTail(Segment segment, long from, int number) throws IOException {
        Optional<JournalTail> tail = JournalTail.find(segment.file(), from, number);
        if (tail.isPresent()) {
            lost.keepBytes(
                    segment.path(),
                    segment.file(),
                    tail.get().offset(),
                    tail.get().length(),
                    "no whole batch of the journal, and no later one that was written after it");
        }
    }

    /** Warns if the file may have been cut off: after a small batch, zeros normally follow. */
    private void warnOfCut(Segment newest) throws IOException {
        boolean isLarge = newest.end - lastBatch >= Segment.GROWING_BYTES;
        if (newest.file().size() == newest.end && newest.end < newest.size() && !isLarge) {
            LOG.warn(
                    "{} ends at byte {} directly after a batch, without the usual zeros: later"
                            + " batches may have been cut off",
                    newest.path(),
                    newest.end);
        }
    }

    /**
     * Forces the files that no durable batch refers to. After the end of a process, or after a
     * failed force, files and bytes can be visible and not on the device. A system that failed to
     * write them once does not write them at the next force, so this method writes them again.
     */
    private void forceBlank() throws IOException {
        for (Segment segment : blank) {
            segment.writeAgain(0, SegmentHeader.LENGTH);
            segment.force();
        }
        if (slots > 0) {
            files.forceDirectory(directory);
        }
    }

    private void openSegment(String path) throws IOException {
        LogFiles.LogFile file = files.open(path);
        try {
            var reader = new SegmentReader(file);
            Segment segment = segment(path, file, reader);
            Optional<Batch> first = reader.batch(SegmentHeader.LENGTH);
            if (first.isEmpty()) {
                blank.add(segment);
            } else {
                segment.number = first.get().segment();
                Segment other = begun.putIfAbsent(segment.number, segment);
                if (other != null) {
                    throw new CorruptJournalException(
                            path,
                            SegmentHeader.LENGTH,
                            "a unique segment number",
                            segment.number + ", as in " + other.path());
                }
            }
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /**
     * Opens a segment. A file without a header and without batches was being created; a file with
     * batches after a bad header is corrupt.
     */
    private Segment segment(String path, LogFiles.LogFile file, SegmentReader reader)
            throws IOException {
        if (SegmentHeader.isWhole(reader.header())) {
            return new Segment(path, file, SegmentHeader.parse(path, reader.header()).size());
        }
        if (reader.batch(SegmentHeader.LENGTH).isPresent()) {
            throw new CorruptJournalException(
                    path, 0, "the header of a journal segment", "other bytes, before a batch");
        }
        Optional<JournalTail> bytes = JournalTail.find(file, 0, 0);
        if (bytes.isPresent()) {
            lost.keepBytes(
                    path, file, 0, bytes.get().length(), "no header of a segment, and no batch");
        }
        return Segment.initialise(files, directory, path, file, segmentBytes);
    }

    /** Passes the records of a segment's batches to {@code replay}, up to the first bad batch. */
    private void walk(Segment segment, SegmentedLog.Replay replay) throws IOException {
        var reader = new SegmentReader(segment.file());
        segment.end = SegmentHeader.LENGTH;
        long expected = -1;
        while (true) {
            Optional<Batch> next = reader.batch(segment.end);
            if (next.isEmpty()
                    || next.get().segment() != segment.number
                    || (expected >= 0 && next.get().firstNumber() != expected)) {
                return;
            }
            Batch batch = next.get();
            replay(batch, replay);
            lastBatch = segment.end;
            expected = batch.firstNumber() + batch.count();
            oldest = batch.oldest();
            segment.end = batch.end();
            segment.lastNumber = expected - 1;
        }
    }

    /** Passes the records of a batch to {@code replay}. */
    static void replay(Batch batch, SegmentedLog.Replay replay) throws IOException {
        long number = batch.firstNumber();
        int at = 0;
        while (at < batch.records().limit()) {
            int length = batch.records().getInt(at);
            at += BatchLayout.RECORD_HEADER;
            replay.record(number, batch.records().slice(at, length));
            number++;
            at += length;
        }
    }

    private void requireNeeded() throws CorruptJournalException {
        for (int number = oldest; number <= begun.lastKey(); number++) {
            if (!begun.containsKey(number)) {
                throw new CorruptJournalException(
                        blank.isEmpty() ? directory : blank.getFirst().path(),
                        SegmentHeader.LENGTH,
                        "the first batch of segment " + number,
                        "no whole batch of it in any file");
            }
        }
    }

    private void replayNeeded(SegmentedLog.Replay replay) throws IOException {
        nextNumber = -1;
        Segment previous = null;
        int firstNeeded = oldest;
        for (Segment segment : begun.tailMap(firstNeeded).values()) {
            Batch first =
                    new SegmentReader(segment.file()).batch(SegmentHeader.LENGTH).orElseThrow();
            if (previous != null
                    && !(first.durable().equals(new LogPosition(previous.number, previous.end))
                            && first.firstNumber() == nextNumber)) {
                throw corrupt(previous, first.durable());
            }
            walk(segment, replay);
            nextNumber = segment.lastNumber + 1;
            previous = segment;
        }
        oldest = firstNeeded;
    }

    /**
     * Searches after {@code end} for a batch that marks {@code end} as durable, and throws if there
     * is one.
     */
    private void refuseLaterBatches(LogPosition end) throws IOException {
        Segment newest = begun.get(end.segment());
        if (newest != null) {
            refuseLaterBatches(newest, end.offset(), end);
        }
        for (Segment segment : blank) {
            refuseLaterBatches(segment, SegmentHeader.LENGTH, end);
        }
    }

    private void refuseLaterBatches(Segment segment, long from, LogPosition end)
            throws IOException {
        var reader = new SegmentReader(segment.file());
        for (long at = from; at < reader.size(); at += LogPosition.ALIGNMENT) {
            if (reader.segmentNumber(at) >= end.segment()) {
                Optional<Batch> later = reader.batch(at);
                if (later.isPresent() && later.get().durable().compareTo(end) > 0) {
                    throw corrupt(segment, from, later.get().durable());
                }
            }
        }
    }

    private static CorruptJournalException corrupt(Segment segment, LogPosition durable) {
        return corrupt(segment, segment.end, durable);
    }

    private static CorruptJournalException corrupt(
            Segment segment, long offset, LogPosition durable) {
        return new CorruptJournalException(
                segment.path(),
                offset,
                "a whole batch, as all bytes before byte %d of segment %d were durable"
                        .formatted(durable.offset(), durable.segment()),
                "bytes with another checksum, segment or number");
    }

    List<Segment> needed() {
        return List.copyOf(begun.tailMap(oldest).values());
    }

    List<Segment> free() {
        var free = new ArrayList<>(begun.headMap(oldest).values());
        free.addAll(blank);
        return free;
    }

    int slots() {
        return slots;
    }

    /** Returns the number of the newest segment, 0 if there is none. */
    int lastSegment() {
        return begun.isEmpty() ? 0 : begun.lastKey();
    }

    /** Returns the oldest segment that a durable batch marks as needed. */
    int oldest() {
        return oldest;
    }

    long nextNumber() {
        return nextNumber;
    }

    /** Closes the files. For a recovery that failed: otherwise the log owns the files. */
    @Override
    public void close() throws IOException {
        for (Segment segment : begun.values()) {
            segment.close();
        }
        for (Segment segment : blank) {
            segment.close();
        }
    }
}
