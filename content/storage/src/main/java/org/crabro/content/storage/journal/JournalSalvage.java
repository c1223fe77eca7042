package org.crabro.content.storage.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.crabro.content.storage.journal.SegmentReader.Batch;

/**
 * Recovers the readable part of a journal that {@link SegmentedLog} refuses: every whole batch,
 * including batches after a bad one. Only reads. For one thread, while no node writes the journal.
 */
public final class JournalSalvage {
    /**
     * Consecutive records that existed and cannot be read.
     *
     * @param file the file of the records, or of the batch after them
     * @param offset the offset in the file after the last whole batch before them
     * @param first the number of the first record
     * @param last the number of the last record
     */
    public record Gap(String file, long offset, long first, long last) {}

    /** A whole batch and its location. */
    private record WholeBatch(
            String path, LogPosition position, long end, int oldest, long first, int count) {
        /** Returns the number of the record after the batch. */
        long next() {
            return first + count;
        }
    }

    private final LogFiles files;
    private final String directory;
    private final List<WholeBatch> batches;
    private final List<Gap> gaps = new ArrayList<>();
    private final long next;

    private JournalSalvage(
            LogFiles files,
            String directory,
            List<WholeBatch> batches,
            long firstNeeded,
            long lastDurable) {
        this.files = files;
        this.directory = directory;
        this.batches = batches;
        long expected = firstNeeded;
        String file = directory;
        long offset = 0;
        for (WholeBatch batch : batches) {
            if (batch.first() > expected) {
                boolean isSame = file.equals(batch.path());
                gaps.add(
                        new Gap(
                                batch.path(),
                                isSame ? offset : SegmentHeader.LENGTH,
                                expected,
                                batch.first() - 1));
            }
            expected = Math.max(expected, batch.next());
            file = batch.path();
            offset = batch.end();
        }
        if (lastDurable >= expected) {
            gaps.add(new Gap(file, offset, expected, lastDurable));
        }
        this.next = Math.max(expected, lastDurable + 1);
    }

    /**
     * Searches for batches in the journal in {@code directory}.
     *
     * @param firstNeeded the lowest number of a record that is stored only in the journal
     * @param lastDurable the highest record number that other files mention
     * @throws IOException if a file cannot be read at all; its content is then unknown
     */
    public static JournalSalvage of(
            LogFiles files, String directory, long firstNeeded, long lastDurable)
            throws IOException {
        List<WholeBatch> all = new ArrayList<>();
        for (String name : files.list(directory)) {
            if (Segment.isName(name)) {
                addTo(all, files, directory + "/" + name);
            }
        }
        all.sort(Comparator.comparing(WholeBatch::position));
        // Segments before the oldest one of the last batch are from an earlier use of the files.
        int oldest = all.isEmpty() ? 0 : all.getLast().oldest();
        List<WholeBatch> needed = new ArrayList<>();
        long next = 0;
        for (WholeBatch batch : all) {
            if (batch.position().segment() >= oldest && batch.first() >= next) {
                needed.add(batch);
                next = batch.next();
            }
        }
        return new JournalSalvage(
                files, directory, needed, firstNeeded(needed, firstNeeded), lastDurable);
    }

    /** Returns the first needed record. If the journal is whole, this is its first record. */
    private static long firstNeeded(List<WholeBatch> needed, long firstNeeded) {
        if (needed.isEmpty()) {
            return firstNeeded;
        }
        WholeBatch first = needed.getFirst();
        boolean isBegin =
                first.position().segment() == needed.getLast().oldest()
                        && first.position().offset() == SegmentHeader.LENGTH;
        return isBegin ? first.first() : Math.min(firstNeeded, first.first());
    }

    private static void addTo(List<WholeBatch> all, LogFiles files, String path)
            throws IOException {
        try (LogFiles.LogFile file = files.open(path)) {
            var reader = new SegmentReader(file);
            long at = SegmentHeader.LENGTH;
            while (at < reader.size()) {
                Optional<Batch> batch = reader.batch(at);
                if (batch.isPresent()) {
                    Batch salvaged = batch.get();
                    all.add(
                            new WholeBatch(
                                    path,
                                    new LogPosition(salvaged.segment(), at),
                                    salvaged.end(),
                                    salvaged.oldest(),
                                    salvaged.firstNumber(),
                                    salvaged.count()));
                    at = salvaged.end();
                } else {
                    at += LogPosition.ALIGNMENT;
                }
            }
        }
    }

    /** Returns the missing records, as far as the remaining batches show them. */
    public List<Gap> gaps() {
        return List.copyOf(gaps);
    }

    /** Returns the number after the last record that existed. */
    public long next() {
        return next;
    }

    /** Passes all remaining records to {@code replay}, in order. */
    public void replay(SegmentedLog.Replay replay) throws IOException {
        for (WholeBatch next : batches) {
            try (LogFiles.LogFile file = files.open(next.path())) {
                Batch batch =
                        new SegmentReader(file)
                                .batch(next.position().offset())
                                .orElseThrow(() ->
                                        new IOException(
                                                next.path() + " changed while it was read"));
                JournalRecovery.replay(batch, replay);
            }
        }
    }

    /** Deletes the journal. */
    public void delete() throws IOException {
        for (String name : files.list(directory)) {
            if (Segment.isName(name)) {
                files.delete(directory + "/" + name);
            }
        }
        files.forceDirectory(directory);
    }
}
