package org.crabro.content.storage.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.crabro.content.storage.journal.FaultyLogFiles.Effect;
import org.crabro.content.storage.journal.FaultyLogFiles.Loss;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SegmentedLogTest {
    private static final int SEGMENT = SegmentedLog.SEGMENT_BYTES_MIN;
    private static final long SEED = Long.getLong("crabro.seed", 20_26);

    private final FaultyLogFiles files = new FaultyLogFiles(new Random(SEED));

    @Test
    void givesBackEveryRecordInOrder() throws IOException {
        try (SegmentedLog log = open(files)) {
            assertThat(log.commit(records("a", "b"))).isEqualTo(1);
            assertThat(log.commit(records("c"))).isEqualTo(3);
            assertThat(log.nextNumber()).isEqualTo(4);
        }

        assertThat(replay(files)).hasToString("{1=a, 2=b, 3=c}");
    }

    @Test
    void keepsTheBytesThatAreWrittenDown() throws IOException {
        try (SegmentedLog log = open(files)) {
            log.commit(records("first", "second"));
            log.commit(records("third"));
        }
        var bytes = ByteBuffer.allocate(3 * LogPosition.ALIGNMENT);
        try (LogFiles.LogFile file = files.open("journal/0.journal")) {
            file.read(bytes, 0);
        }

        String golden;
        try (var in = SegmentedLogTest.class.getResourceAsStream("journal-1.hex")) {
            golden = new String(in.readAllBytes(), UTF_8);
        }

        assertThat(dump(bytes.array())).isEqualTo(golden);
    }

    @Test
    void forcesOncePerBatch() throws IOException {
        try (SegmentedLog log = open(files)) {
            log.commit(records("the first makes the file"));
            int forces = files.forces();
            int writes = files.writes();
            for (int i = 0; i < 10; i++) {
                log.commit(records("a", "b", "c"));
            }

            assertThat(files.forces() - forces).isEqualTo(10);
            assertThat(files.writes() - writes).isEqualTo(10);
        }
    }

    @Test
    void usesReleasedFilesAgain() throws IOException {
        try (SegmentedLog log = open(files)) {
            for (int i = 0; i < 200; i++) {
                log.release(log.commit(List.of(LogRecord.of(new byte[SEGMENT / 4]))) - 1);
            }

            assertThat(files.list("journal")).hasSizeLessThanOrEqualTo(3);
            assertThat(log.bytes()).isLessThanOrEqualTo(2 * SEGMENT);
        }
        assertThat(replay(files).lastKey()).isEqualTo(200);
    }

    @Test
    void acceptsARecordAsLargeAsASegment() throws IOException {
        try (SegmentedLog log = open(files)) {
            log.commit(records("before"));
            log.commit(List.of(LogRecord.of(new byte[log.recordBytesMax()])));
            log.commit(records("behind"));
        }
        assertThat(replay(files)).hasSize(3).containsEntry(3L, "behind");
    }

    @Test
    void givesARecordThatIsLargerThanASegmentAFileOfItsSize() throws IOException {
        try (SegmentedLog log = open(files)) {
            log.commit(records("before"));
            log.commit(List.of(LogRecord.of("x".repeat(10 * SEGMENT).getBytes(UTF_8))));
            log.commit(records("behind"));
        }

        assertThat(replay(files))
                .hasSize(3)
                .containsEntry(2L, "x".repeat(10 * SEGMENT))
                .containsEntry(3L, "behind");
        assertThat(files.list("journal")).hasSize(3);
    }

    @Test
    void usesTheFileOfALargeRecordAgainAndLetsItGo() throws IOException {
        var large = List.of(LogRecord.of(new byte[10 * SEGMENT]));
        try (SegmentedLog log = open(files)) {
            for (int i = 0; i < 20; i++) {
                log.release(log.commit(large));
                log.release(log.commit(records("between")));
            }
            int most = files.list("journal").size();
            log.trim(0, Instant.EPOCH, Instant.EPOCH, LogRecord.of(new byte[1]));

            assertThat(most).isLessThanOrEqualTo(5);
            assertThat(files.list("journal")).hasSizeLessThanOrEqualTo(2);
        }
    }

    @Test
    void refusesRecordsThatAreTogetherLargerThanASegment() throws IOException {
        try (SegmentedLog log = open(files)) {
            LogRecord half = LogRecord.of(new byte[log.recordBytesMax() / 2]);

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> log.commit(List.of(half, half, half)));
        }
    }

    @Test
    void goesOnAfterATornTail() throws IOException {
        try (SegmentedLog log = open(files)) {
            log.commit(records("kept"));
            log.commit(List.of(LogRecord.of(new byte[2_000])));
        }
        files.damage("journal/0.journal", 3L * LogPosition.ALIGNMENT);

        try (SegmentedLog log = open(files)) {
            assertThat(log.nextNumber()).isEqualTo(2);
            log.commit(records("behind"));
        }
        assertThat(replay(files)).hasToString("{1=kept, 2=behind}");
    }

    @Test
    void reportsCorruptionBeforeALaterBatch() throws IOException {
        try (SegmentedLog log = open(files)) {
            log.commit(records("kept"));
            log.commit(records("lost"));
            log.commit(records("witness"));
        }
        files.damage("journal/0.journal", 2L * LogPosition.ALIGNMENT + 38);

        assertThatExceptionOfType(CorruptJournalException.class)
                .isThrownBy(() -> open(files))
                .withMessageStartingWith(
                        "journal/0.journal at byte 1024: expected a whole batch, as all bytes"
                                + " before byte 1536 of segment 1 were durable")
                .satisfies(e -> assertThat(e.offset()).isEqualTo(1024));
        assertThat(files.openFiles()).isZero();
    }

    /** Every byte of three segments, except the last batch, which may be torn. */
    @Test
    void reportsCorruptionAtEachOffset() throws IOException {
        try (SegmentedLog log = open(files)) {
            for (int i = 0; i < 10; i++) {
                log.commit(List.of(LogRecord.of(new byte[SEGMENT / 4])));
            }
        }
        var random = new Random(SEED);
        for (int i = 0; i < 100; i++) {
            FaultyLogFiles damaged = files.afterCrash(Loss.EVERYTHING);
            int number = random.nextInt(9);
            int size = (int) BatchLayout.size(SEGMENT / 4 + BatchLayout.RECORD_HEADER);
            int used = BatchLayout.RECORDS_OFFSET + BatchLayout.RECORD_HEADER + SEGMENT / 4;
            int offset = SegmentHeader.LENGTH + number % 3 * size + random.nextInt(used);
            damaged.damage("journal/" + number / 3 + ".journal", offset);

            assertThatExceptionOfType(CorruptJournalException.class)
                    .as("batch %d, byte %d, seed %d", number, offset, SEED)
                    .isThrownBy(() -> open(damaged));
        }
    }

    @Test
    void reportsAMissingFile() throws IOException {
        try (SegmentedLog log = open(files)) {
            for (int i = 0; i < 10; i++) {
                log.commit(List.of(LogRecord.of(new byte[SEGMENT / 4])));
            }
        }
        files.delete("journal/0.journal");

        assertThatExceptionOfType(CorruptJournalException.class)
                .isThrownBy(() -> open(files))
                .withMessageContaining("the first batch of segment 1");
    }

    @Test
    void reportsRecordsThatEndTooEarly() throws IOException {
        try (SegmentedLog log = open(files)) {
            log.commit(records("a", "b"));
        }

        assertThatExceptionOfType(CorruptJournalException.class)
                .isThrownBy(() -> SegmentedLog.open(files, "journal", SEGMENT, 9, (_, _) -> {}))
                .withMessageContaining(
                        "expected records up to number 8, found none after number 2");
    }

    @Test
    void refusesAnotherVersionInWords() throws IOException {
        open(files).close();
        try (LogFiles.LogFile file = files.create("journal/0.journal")) {
            ByteBuffer header = new SegmentHeader(SEGMENT).bytes();
            header.putInt(8, 7);
            var crc = new java.util.zip.CRC32C();
            crc.update(header.slice(0, 20));
            header.putInt(20, (int) crc.getValue());
            file.write(header, 0);
        }

        assertThatExceptionOfType(CorruptJournalException.class)
                .isThrownBy(() -> open(files))
                .withMessageContaining("expected journal version 1, found version 7");
    }

    @Test
    void rejectsWritesAfterAFailedForce() throws IOException {
        try (SegmentedLog log = open(files)) {
            log.commit(records("kept"));
            files.failForceAfter(1);

            assertThatIOException().isThrownBy(() -> log.commit(records("unknown")));
            assertThatIOException()
                    .isThrownBy(() -> log.commit(records("refused")))
                    .withMessageContaining("failed earlier");
        }
        assertThat(replay(files.afterCrash(Loss.EVERYTHING))).hasToString("{1=kept}");
    }

    /** Until a durable batch records the release, a start needs the file. */
    @ParameterizedTest
    @EnumSource
    void writesOverAReleasedFileWhenItsReleaseIsDurable(Loss loss) throws IOException {
        // Each begins a file, and shares no sector with another.
        String one = "1".repeat(SEGMENT / 2);
        String two = "2".repeat(SEGMENT / 2);
        String three = "3".repeat(SEGMENT / 2);
        for (int stop = 1; stop <= 10; stop++) {
            var stopped = new FaultyLogFiles(new Random(SEED + stop));
            try (SegmentedLog log = open(stopped)) {
                log.commit(records(one));
                log.commit(records(two));
                log.release(1);
                stopped.stopAfter(stop);
                log.commit(records(three));
            } catch (FaultyLogFiles.StoppedException _) {
                assertThat(stopped.hasStopped()).isTrue();
            }

            assertThat(replay(stopped.afterCrash(loss)))
                    .as("stop %d, seed %d", stop, SEED)
                    .containsEntry(2L, two);
        }
    }

    /**
     * Stops in the middle of every effect in turn, and again during recovery: records that were
     * committed and not released always exist, in order, once.
     */
    @ParameterizedTest
    @EnumSource
    void losesNothingWhereverItStops(Loss loss) throws IOException {
        for (int stop = 1; stop <= 150; stop++) {
            var random = new Random(SEED + stop);
            var first = new FaultyLogFiles(random);
            var committed = new TreeMap<Long, String>();
            var uncertain = new TreeMap<Long, String>();
            long released = write(first, stop, random, committed, uncertain);

            FaultyLogFiles recovered = first.afterCrash(loss);
            for (int again = 1; again <= 3; again++) {
                recovered.stopAfter(again);
                try {
                    open(recovered).close();
                } catch (FaultyLogFiles.StoppedException _) {
                    assertThat(recovered.hasStopped()).isTrue();
                }
                recovered = recovered.afterCrash(loss);
            }

            NavigableMap<Long, String> after = replay(recovered);
            assertThat(after.tailMap(released, false).entrySet())
                    .as("stop %d, seed %d", stop, SEED)
                    .containsAll(committed.tailMap(released, false).entrySet());
            committed.putAll(uncertain);
            assertThat(committed.entrySet())
                    .as("stop %d, seed %d", stop, SEED)
                    .containsAll(after.entrySet());
            assertThat(recovered.openFiles()).isZero();
        }
    }

    /** Writes until the files stop; returns the last released number. */
    private static long write(
            FaultyLogFiles files,
            int stop,
            Random random,
            NavigableMap<Long, String> committed,
            NavigableMap<Long, String> uncertain)
            throws IOException {
        files.stopAfter(stop);
        long released = 0;
        SegmentedLog log;
        try {
            log = open(files);
        } catch (FaultyLogFiles.StoppedException _) {
            return 0;
        }
        while (!files.hasStopped()) {
            List<LogRecord> records = new ArrayList<>();
            uncertain.clear();
            // Large records begin a segment each, so that files are reused at once.
            boolean isLarge = stop % 2 == 0;
            for (int i = isLarge ? 1 : random.nextInt(1, 4); i > 0; i--) {
                int length = isLarge ? SEGMENT / 2 : random.nextInt(SEGMENT / 8);
                String record = random.nextInt() + "x".repeat(length);
                uncertain.put(log.nextNumber() + records.size(), record);
                records.add(LogRecord.of(record.getBytes(UTF_8)));
            }
            try {
                log.commit(records);
                committed.putAll(uncertain);
                if (random.nextInt(isLarge ? 2 : 4) == 0) {
                    int count = random.nextInt(1, isLarge ? 3 : 9);
                    released = Math.max(released, log.nextNumber() - count);
                    log.release(released);
                }
            } catch (FaultyLogFiles.StoppedException _) {
                assertThat(files.hasStopped()).isTrue();
            }
        }
        log.close();
        return released;
    }

    /**
     * Bytes that a failed force, or a process that ended before it, left in memory are read by the
     * next process, and lost by the next loss of power.
     */
    @ParameterizedTest
    @EnumSource(names = {"WRITE", "FORCE", "FORCE_DIRECTORY", "CREATE"})
    void reliesOnNothingThatIsSeenAndNotOnTheDevice(Effect effect) throws IOException {
        for (int count = 1; count <= 40; count++) {
            var crashing = new FaultyLogFiles(new Random(SEED * count));
            crashing.failAfter(effect, count);
            writeAndIgnore(crashing);
            crashing.failNothing();

            NavigableMap<Long, String> seen = replay(crashing);
            try (SegmentedLog log = open(crashing)) {
                seen.put(log.commit(records("behind")), "behind");
            }

            assertThat(replay(crashing.afterCrash(Loss.EVERYTHING)))
                    .as("%s number %d, seed %d", effect, count, SEED)
                    .isEqualTo(seen);
        }
    }

    private static void writeAndIgnore(FaultyLogFiles files) {
        try (SegmentedLog log = open(files)) {
            for (int i = 0; i < 12; i++) {
                log.commit(List.of(LogRecord.of(new byte[SEGMENT / 4])));
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("input/output error");
        }
    }

    private static SegmentedLog open(LogFiles files) throws IOException {
        return SegmentedLog.open(files, "journal", SEGMENT, 1, (_, _) -> {});
    }

    private static NavigableMap<Long, String> replay(LogFiles files) throws IOException {
        var replayed = new TreeMap<Long, String>();
        SegmentedLog.open(
                        files,
                        "journal",
                        SEGMENT,
                        1,
                        (number, record) -> {
                            assertThat(replayed.isEmpty() || replayed.lastKey() + 1 == number)
                                    .isTrue();
                            replayed.put(number, UTF_8.decode(record).toString());
                        })
                .close();
        return replayed;
    }

    private static List<LogRecord> records(String... texts) {
        List<LogRecord> records = new ArrayList<>();
        for (String text : texts) {
            records.add(LogRecord.of(text.getBytes(UTF_8)));
        }
        return records;
    }

    /** Writes 16 bytes per line after their offset, and omits lines of zeros. */
    private static String dump(byte[] bytes) {
        var text = new StringBuilder();
        for (int at = 0; at < bytes.length; at += 16) {
            String line = HexFormat.of().formatHex(bytes, at, at + 16);
            if (!line.matches("0*")) {
                text.append("%04x  %s\n".formatted(at, line));
            }
        }
        return text.toString();
    }
}
