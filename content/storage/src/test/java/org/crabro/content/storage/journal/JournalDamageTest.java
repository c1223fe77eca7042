package org.crabro.content.storage.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.crabro.content.storage.journal.FaultyLogFiles.Loss;
import org.junit.jupiter.api.Test;

/**
 * Flips a bit in every byte of a journal, one after another.
 *
 * <p>A later batch distinguishes a bad batch from a torn one, because it states the durable
 * position. So one case is undetectable: damage of the very last batch looks like a write that was
 * torn before it was acknowledged. Its records are lost silently; the records of all earlier
 * batches never are.
 */
class JournalDamageTest {
    private static final int SEGMENT = SegmentedLog.SEGMENT_BYTES_MIN;
    private static final long SEED = Long.getLong("crabro.seed", 20_26);

    /** The header bytes up to and including its checksum. */
    private static final int HEADER_USED = 24;

    private enum Outcome {
        REFUSED,
        NOTHING_LOST,
        LAST_BATCH_LOST
    }

    private final FaultyLogFiles files = new FaultyLogFiles(new Random(SEED));
    private final NavigableMap<Long, String> committed = new TreeMap<>();
    private long lastBatchFirst;
    private int lastBatchSize;
    private int number;
    private int step = 1;

    @Test
    void refusesOrLosesNothingButTheLastBatch() throws IOException {
        try (SegmentedLog log = open()) {
            for (int i = 0; i < 12; i++) {
                commit(log, 100 + i, 1_200);
            }
        }

        var outcomes = outcomes();

        assertThat(outcomes.keySet()).containsExactly(Outcome.values());
        assertThat(outcomes.get(Outcome.LAST_BATCH_LOST)).isEqualTo(lastBatchSize);
    }

    /** Reused files have older batches after the newest. */
    @Test
    void refusesOrLosesNothingButTheLastBatchOfFilesUsedAgain() throws IOException {
        try (SegmentedLog log = open()) {
            for (int i = 0; i < 40; i++) {
                commit(log, 1_800);
                log.release(log.nextNumber() - 6);
            }
            commit(log, 200, 100);
        }
        committed.headMap(open().nextNumber() - 6).clear();
        step = 7;

        var outcomes = outcomes();

        assertThat(outcomes.keySet()).containsExactly(Outcome.values());
    }

    /** The only batch of a file: without it, nothing shows that the file was begun. */
    @Test
    void refusesOrLosesNothingButTheLastBatchWhereItIsAloneInItsFile() throws IOException {
        try (SegmentedLog log = open()) {
            for (int i = 0; i < 9; i++) {
                commit(log, SEGMENT / 5);
            }
        }
        step = 7;

        var outcomes = outcomes();

        assertThat(outcomes.keySet()).containsExactly(Outcome.values());
    }

    private void commit(SegmentedLog log, int... sizes) throws IOException {
        lastBatchFirst = log.nextNumber();
        lastBatchSize = BatchLayout.RECORDS_OFFSET;
        var records = new java.util.ArrayList<LogRecord>();
        for (int size : sizes) {
            number++;
            String record = number + "x".repeat(size);
            records.add(LogRecord.of(record.getBytes(UTF_8)));
            committed.put(lastBatchFirst + records.size() - 1, record);
            lastBatchSize += BatchLayout.RECORD_HEADER + record.length();
        }
        log.commit(List.copyOf(records));
    }

    private Map<Outcome, Integer> outcomes() throws IOException {
        var outcomes = new EnumMap<Outcome, Integer>(Outcome.class);
        for (Map.Entry<String, Integer> file : files.names().entrySet()) {
            byte[] bytes = bytes(file.getKey(), file.getValue());
            for (int offset = 0; offset < bytes.length; offset++) {
                // A few unwritten bytes are enough.
                if (offset % step == 0 && (isWritten(bytes, offset) || offset % 97 == 0)) {
                    outcomes.merge(outcome(file.getKey(), offset), 1, Integer::sum);
                }
            }
        }
        return outcomes;
    }

    private byte[] bytes(String path, int size) throws IOException {
        var bytes = ByteBuffer.allocate(size);
        try (LogFiles.LogFile file = files.open(path)) {
            file.read(bytes, 0);
        }
        return bytes.array();
    }

    private static boolean isWritten(byte[] bytes, int offset) {
        int sector = offset - offset % FaultyContent.SECTOR;
        int end = Math.min(bytes.length, sector + FaultyContent.SECTOR);
        return IntStream.range(sector, end).anyMatch(i -> bytes[i] != 0);
    }

    private Outcome outcome(String path, int offset) throws IOException {
        FaultyLogFiles damaged = files.afterCrash(Loss.EVERYTHING);
        damaged.damage(path, offset, offset % Byte.SIZE);
        String where = "%s, byte %d".formatted(path, offset);
        var replayed = new TreeMap<Long, String>();
        try (SegmentedLog log = open(damaged, replayed)) {
            replayed.headMap(committed.firstKey()).clear();
            if (replayed.equals(committed)) {
                return Outcome.NOTHING_LOST;
            }
            assertThat(replayed).as(where).isEqualTo(committed.headMap(lastBatchFirst));
            log.commit(List.of(LogRecord.of("behind".getBytes(UTF_8))));
        } catch (CorruptJournalException e) {
            assertThat(e.file()).as(where).isEqualTo(path);
            assertThat(e.offset()).as(where).isBetween(0L, (long) offset);
            boolean isUsed = offset < HEADER_USED || offset >= SegmentHeader.LENGTH;
            assertThat(isUsed).as(where).isTrue();
            return Outcome.REFUSED;
        }
        replayed.put(lastBatchFirst, "behind");
        var after = new TreeMap<Long, String>();
        open(damaged, after).close();
        after.headMap(committed.firstKey()).clear();
        assertThat(after).as("after going on from %s", where).isEqualTo(replayed);
        return Outcome.LAST_BATCH_LOST;
    }

    private SegmentedLog open() throws IOException {
        return open(files, new TreeMap<>());
    }

    private static SegmentedLog open(LogFiles from, Map<Long, String> replayed) throws IOException {
        return SegmentedLog.open(
                from,
                "journal",
                SEGMENT,
                1,
                (number, record) -> replayed.put(number, UTF_8.decode(record).toString()));
    }
}
