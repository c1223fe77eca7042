package org.crabro.content.storage.journal;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.crabro.content.storage.journal.SegmentReader.Batch;

/**
 * Checks a journal without changing it, also while a node writes it. The rules are those of {@link
 * JournalRecovery}. Recovery stops at the first error; the scan continues.
 *
 * <p>A running node changes the files during the scan: segments grow and are reused. The scan
 * therefore repeats a check that fails, and reports an error only if every repetition finds it.
 */
public final class JournalScan {
    /** The number of times that an error is found before it is reported. */
    private static final int LOOKS = 3;

    /** The most errors that are reported. A journal with more is lost in any case. */
    private static final int DAMAGE_MAX = 1_000;

    private final LogFiles files;
    private final String directory;
    private final JournalReport.RecordCheck check;

    private final List<SegmentSummary> segments = new ArrayList<>();
    private final Set<Damage> damage = new LinkedHashSet<>();

    private JournalScan(LogFiles files, String directory, JournalReport.RecordCheck check) {
        this.files = files;
        this.directory = directory;
        this.check = check;
    }

    /** Reports the content of the journal in {@code directory} to {@code report}. */
    public static void run(
            LogFiles files, String directory, JournalReport.RecordCheck check, JournalReport report)
            throws IOException {
        var scan = new JournalScan(files, directory, check);
        scan.look();
        Set<Damage> lasting = new LinkedHashSet<>(scan.damage);
        for (int look = 1; look < LOOKS && !lasting.isEmpty(); look++) {
            scan.look();
            lasting.retainAll(scan.damage);
        }
        for (SegmentSummary segment : scan.segments) {
            report.segment(segment);
        }
        for (Damage each : lasting) {
            report.damage(each);
        }
    }

    /**
     * A segment's file and the header of its first batch; the number is 0 if the file has no batch.
     */
    private record Slot(
            String path, long size, int number, int oldest, long firstNumber, LogPosition durable) {
        private static Slot of(String path, long size, Optional<Batch> first) {
            return first.map(batch ->
                            new Slot(
                                    path,
                                    size,
                                    batch.segment(),
                                    batch.oldest(),
                                    batch.firstNumber(),
                                    batch.durable()))
                    .orElse(new Slot(path, size, 0, 0, 0, new LogPosition(0, 0)));
        }
    }

    /** The whole batches of a segment. */
    private record Walk(long end, long batches, long records, long first, long last, int oldest) {}

    private void look() throws IOException {
        segments.clear();
        damage.clear();
        NavigableMap<Integer, Slot> begun = new TreeMap<>();
        List<Slot> blank = new ArrayList<>();
        for (String name : files.list(directory)) {
            if (Segment.isName(name)) {
                open(directory + "/" + name, begun, blank);
            }
        }
        if (begun.isEmpty()) {
            tellBlank(blank, new LogPosition(0, 0));
            return;
        }
        Slot newest = begun.lastEntry().getValue();
        int oldest = walk(newest, newest.number(), false).oldest();
        tellFree(begun, oldest);
        LogPosition end = walkNeeded(begun, oldest, newest.number());
        findLaterBatches(newest, end.offset(), end);
        tellBlank(blank, end);
    }

    private void open(String path, NavigableMap<Integer, Slot> begun, List<Slot> blank)
            throws IOException {
        Slot slot;
        try (LogFiles.LogFile file = files.open(path)) {
            var reader = new SegmentReader(file);
            boolean hasHeader = SegmentHeader.isWhole(reader.header());
            Optional<Batch> first = reader.batch(SegmentHeader.LENGTH);
            slot = Slot.of(path, reader.size(), first);
            if (hasHeader) {
                SegmentHeader.parse(path, reader.header());
            } else if (first.isPresent()) {
                wrong(path, 0, "the header of a journal segment", "other bytes, before a batch");
            }
        } catch (NoSuchFileException _) {
            return;
        } catch (CorruptJournalException e) {
            wrong(
                    path,
                    e.offset(),
                    "a version that this program can read",
                    String.valueOf(e.getMessage()));
            return;
        } catch (IOException e) {
            unreadable(path, e);
            return;
        }
        if (slot.number() == 0) {
            blank.add(slot);
            return;
        }
        Slot other = begun.putIfAbsent(slot.number(), slot);
        if (other != null) {
            wrong(
                    path,
                    SegmentHeader.LENGTH,
                    "a unique segment number",
                    slot.number() + ", as in " + other.path());
        }
    }

    private void tellFree(NavigableMap<Integer, Slot> begun, int oldest) throws IOException {
        for (var free : begun.headMap(oldest).entrySet()) {
            Walk walk = walk(free.getValue(), free.getKey(), false);
            segments.add(summary(free.getValue(), free.getKey(), walk, SegmentSummary.Use.FREE));
        }
    }

    /** Walks the needed segments. Returns the end of the last whole batch of the newest one. */
    private LogPosition walkNeeded(NavigableMap<Integer, Slot> begun, int oldest, int newest)
            throws IOException {
        LogPosition end = new LogPosition(0, 0);
        long next = -1;
        String previous = "";
        for (int number = oldest; number <= newest; number++) {
            Slot slot = begun.get(number);
            if (slot == null) {
                wrong(
                        directory,
                        0,
                        "the first batch of segment " + number,
                        "no whole batch of it in any file");
                next = -1;
                continue;
            }
            if (next >= 0) {
                checkFollows(previous, end, next, slot);
            }
            Walk walk = walk(slot, number, true);
            segments.add(summary(slot, number, walk, SegmentSummary.Use.NEEDED));
            end = new LogPosition(number, walk.end());
            next = walk.last() + 1;
            previous = slot.path();
        }
        return end;
    }

    private void checkFollows(String previous, LogPosition end, long next, Slot slot) {
        if (!slot.durable().equals(end) || slot.firstNumber() != next) {
            wrong(
                    previous,
                    end.offset(),
                    "whole batches up to byte %d of segment %d and record %d, as in %s"
                            .formatted(
                                    slot.durable().offset(),
                                    slot.durable().segment(),
                                    slot.firstNumber() - 1,
                                    slot.path()),
                    "an incomplete batch after record " + (next - 1));
        }
    }

    private Walk walk(Slot slot, int number, boolean checks) throws IOException {
        long end = SegmentHeader.LENGTH;
        long batches = 0;
        long records = 0;
        long first = 0;
        long next = -1;
        int oldest = slot.oldest();
        try (LogFiles.LogFile file = files.open(slot.path())) {
            var reader = new SegmentReader(file);
            while (true) {
                Optional<Batch> nextBatch = reader.batch(end);
                if (nextBatch.isEmpty()
                        || nextBatch.get().segment() != number
                        || (next >= 0 && nextBatch.get().firstNumber() != next)) {
                    break;
                }
                Batch batch = nextBatch.get();
                if (batches == 0) {
                    first = batch.firstNumber();
                }
                if (checks) {
                    checkRecords(slot.path(), end, batch);
                }
                batches++;
                int count = batch.count();
                records += count;
                next = batch.firstNumber() + count;
                oldest = batch.oldest();
                end = batch.end();
            }
        } catch (NoSuchFileException _) {
            // The node removed the file; the next repetition does not list it.
            wrong(slot.path(), 0, "the file", "none");
        } catch (IOException e) {
            unreadable(slot.path(), e);
        }
        return new Walk(end, batches, records, first, Math.max(0, next - 1), oldest);
    }

    private void checkRecords(String path, long offset, Batch batch) {
        long number = batch.firstNumber();
        int at = 0;
        while (at < batch.records().limit()) {
            int length = batch.records().getInt(at);
            at += BatchLayout.RECORD_HEADER;
            Optional<String> problem = check.problem(batch.records().slice(at, length));
            if (problem.isPresent()) {
                wrong(
                        path,
                        offset + BatchLayout.RECORDS_OFFSET + at,
                        "record " + number + ", a row of a stored type",
                        problem.get());
            }
            number++;
            at += length;
        }
    }

    private void tellBlank(List<Slot> blank, LogPosition end) throws IOException {
        for (Slot slot : blank) {
            findLaterBatches(slot, SegmentHeader.LENGTH, end);
            segments.add(
                    new SegmentSummary(
                            slot.path(),
                            0,
                            slot.size(),
                            SegmentSummary.Batches.NONE,
                            SegmentSummary.Use.BLANK));
        }
    }

    /**
     * Reports damage if a later batch was written when the bytes before it were already durable.
     */
    private void findLaterBatches(Slot slot, long from, LogPosition end) throws IOException {
        try (LogFiles.LogFile file = files.open(slot.path())) {
            var reader = new SegmentReader(file);
            for (long at = from; at < reader.size(); at += LogPosition.ALIGNMENT) {
                if (reader.segmentNumber(at) >= end.segment()) {
                    Optional<Batch> later = reader.batch(at);
                    if (later.isPresent() && later.get().durable().compareTo(end) > 0) {
                        wrong(
                                slot.path(),
                                from,
                                "a whole batch, as all bytes before byte %d of segment %d were durable"
                                        .formatted(
                                                later.get().durable().offset(),
                                                later.get().durable().segment()),
                                "bytes with another checksum, segment or number");
                        return;
                    }
                }
            }
        } catch (NoSuchFileException _) {
            wrong(slot.path(), 0, "the file", "none");
        } catch (IOException e) {
            unreadable(slot.path(), e);
        }
    }

    private static SegmentSummary summary(
            Slot slot, int number, Walk walk, SegmentSummary.Use use) {
        return new SegmentSummary(
                slot.path(),
                number,
                slot.size(),
                new SegmentSummary.Batches(
                        walk.end(), walk.batches(), walk.records(), walk.first(), walk.last()),
                use);
    }

    private void unreadable(String path, IOException e) {
        wrong(path, 0, "a file that can be read", String.valueOf(e.getMessage()));
    }

    private void wrong(String path, long offset, String expected, String actual) {
        if (damage.size() < DAMAGE_MAX) {
            damage.add(new Damage(path, offset, expected, actual));
        }
    }
}
