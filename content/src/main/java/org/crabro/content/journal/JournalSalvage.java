package org.crabro.content.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.crabro.content.journal.SegmentReader.Batch;

/**
 * What is left of a journal that {@link SegmentedLog} refuses: every whole batch, also those behind
 * a bad one. Reads only; for one thread, while nobody writes.
 */
public final class JournalSalvage {
    /**
     * Records that there were and that cannot be read.
     *
     * @param file where they were, or where what follows them is
     * @param offset in the file, behind the last whole batch before them
     * @param first the number of the first record
     * @param last the number of the last record
     */
    public record Gap(String file, long offset, long first, long last) {}

    /** A whole batch, and where it is. */
    private record Found(
            String path, LogPosition position, long end, int oldest, long first, int count) {
        /** Returns the number of the first record behind it. */
        long next() {
            return first + count;
        }
    }

    private final LogFiles files;
    private final String directory;
    private final List<Found> batches;
    private final List<Gap> gaps = new ArrayList<>();
    private final long next;

    private JournalSalvage(
            LogFiles files, String directory, List<Found> batches, long firstNeeded, long known) {
        this.files = files;
        this.directory = directory;
        this.batches = batches;
        long expected = firstNeeded;
        String file = directory;
        long offset = 0;
        for (Found batch : batches) {
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
        if (known >= expected) {
            gaps.add(new Gap(file, offset, expected, known));
        }
        this.next = Math.max(expected, known + 1);
    }

    /**
     * Looks for batches in the journal in {@code directory}.
     *
     * @param firstNeeded the lowest number of a record that is nowhere else
     * @param known the highest number that there was a record of, as others tell
     * @throws IOException if a file cannot be read at all: then nothing is known of it
     */
    public static JournalSalvage of(LogFiles files, String directory, long firstNeeded, long known)
            throws IOException {
        List<Found> all = new ArrayList<>();
        for (String name : files.list(directory)) {
            if (Segment.isName(name)) {
                addTo(all, files, directory + "/" + name);
            }
        }
        all.sort(Comparator.comparing(Found::position));
        // What the last batch does not need is left from an earlier use of the files.
        int oldest = all.isEmpty() ? 0 : all.getLast().oldest();
        List<Found> needed = new ArrayList<>();
        long next = 0;
        for (Found batch : all) {
            if (batch.position().segment() >= oldest && batch.first() >= next) {
                needed.add(batch);
                next = batch.next();
            }
        }
        return new JournalSalvage(
                files, directory, needed, firstNeeded(needed, firstNeeded), known);
    }

    /** What a journal that is whole begins with is the first that it needs. */
    private static long firstNeeded(List<Found> needed, long firstNeeded) {
        if (needed.isEmpty()) {
            return firstNeeded;
        }
        Found first = needed.getFirst();
        boolean isBegin =
                first.position().segment() == needed.getLast().oldest()
                        && first.position().offset() == SegmentHeader.LENGTH;
        return isBegin ? first.first() : Math.min(firstNeeded, first.first());
    }

    private static void addTo(List<Found> all, LogFiles files, String path) throws IOException {
        try (LogFiles.LogFile file = files.open(path)) {
            var reader = new SegmentReader(file);
            long at = SegmentHeader.LENGTH;
            while (at < reader.size()) {
                Optional<Batch> batch = reader.batch(at);
                if (batch.isPresent()) {
                    Batch found = batch.get();
                    all.add(
                            new Found(
                                    path,
                                    new LogPosition(found.segment(), at),
                                    found.end(),
                                    found.oldest(),
                                    found.firstNumber(),
                                    found.count()));
                    at = found.end();
                } else {
                    at += LogPosition.ALIGNMENT;
                }
            }
        }
    }

    /** Returns what there was and is not any more, as far as the rest tells. */
    public List<Gap> gaps() {
        return List.copyOf(gaps);
    }

    /** Returns the number behind all that there were. */
    public long next() {
        return next;
    }

    /** Gives all records that are left to {@code replay}, in order. */
    public void replay(SegmentedLog.Replay replay) throws IOException {
        for (Found found : batches) {
            try (LogFiles.LogFile file = files.open(found.path())) {
                Batch batch =
                        new SegmentReader(file)
                                .batch(found.position().offset())
                                .orElseThrow(() ->
                                        new IOException(
                                                found.path() + " changed while it was read"));
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
