package org.crabro.content.storage.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.crabro.content.storage.journal.SegmentSummary.Use;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class JournalScanTest {
    private static final int SEGMENT_BYTES = SegmentedLog.SEGMENT_BYTES_MIN;

    @RegisterExtension final FaultyLogFiles files = new FaultyLogFiles(new Random(1));

    /** Collects the findings. */
    private static final class Scanned implements JournalReport {
        private final List<SegmentSummary> segments = new ArrayList<>();
        private final List<Damage> damage = new ArrayList<>();

        @Override
        public void segment(SegmentSummary segment) {
            segments.add(segment);
        }

        @Override
        public void damage(Damage item) {
            damage.add(item);
        }
    }

    @Test
    void listsNeededAndFreeSegments() throws IOException {
        try (SegmentedLog log = open()) {
            for (int i = 0; i < 50; i++) {
                log.commit(List.of(record(i), record(i)));
                if (i == 48) {
                    log.release(40);
                }
            }

            Scanned scanned = scan();

            assertThat(scanned.damage).isEmpty();
            assertThat(scanned.segments)
                    .extracting(SegmentSummary::use)
                    .contains(Use.FREE, Use.NEEDED)
                    .doesNotContain(Use.BLANK);
            List<SegmentSummary> needed = needed(scanned);
            assertThat(needed.getLast().batches().last()).isEqualTo(100);
            assertThat(needed.stream().mapToLong(segment -> segment.batches().records()).sum())
                    .isEqualTo(100 - needed.getFirst().batches().first() + 1);
            assertThat(needed.getFirst().batches().first()).isBetween(2L, 41L);
            assertThat(needed.stream().mapToLong(segment -> segment.batches().usedBytes()).sum())
                    .isEqualTo(log.bytes());
        }
    }

    @Test
    void changesNothing() throws IOException {
        write(30);
        int effects = files.effects();

        scan();

        assertThat(files.effects()).isEqualTo(effects);
    }

    @Test
    void reportsDamageInEveryBatchExceptTheLast() throws IOException {
        write(30);
        List<SegmentSummary> whole = scan().segments;

        for (SegmentSummary segment : whole) {
            boolean isNewest = segment.equals(whole.getLast());
            long last = segment.batches().usedBytes() - 1_536;
            for (long at = SegmentHeader.LENGTH + 40;
                    at < (isNewest ? last : segment.batches().usedBytes());
                    at += 1_536) {
                files.damage(segment.file(), at);
                Scanned scanned = scan();
                files.damage(segment.file(), at);

                assertThat(scanned.damage).as("%s at %d", segment.file(), at).isNotEmpty();
            }
        }
        assertThat(scan().damage).isEmpty();
    }

    @Test
    void passesOverATornTail() throws IOException {
        write(30);
        SegmentSummary newest = scan().segments.getLast();
        files.damage(newest.file(), newest.batches().usedBytes() - 600);

        Scanned scanned = scan();

        assertThat(scanned.damage).isEmpty();
        assertThat(scanned.segments.getLast().batches().last()).isEqualTo(29);
    }

    @Test
    void reportsAMissingSegment() throws IOException {
        write(40);
        SegmentSummary first = scan().segments.getFirst();
        files.delete(first.file());

        assertThat(scan().damage)
                .containsExactly(
                        new Damage(
                                "journal",
                                0,
                                "the first batch of segment 1",
                                "no whole batch of it in any file"));
    }

    @Test
    void reportsWrongRecords() throws IOException {
        write(2);
        var scanned = new Scanned();

        JournalScan.run(
                files,
                "journal",
                record -> record.get(0) == '1' ? Optional.of("a one") : Optional.empty(),
                scanned);

        assertThat(scanned.damage).extracting(Damage::actual).containsExactly("a one");
        assertThat(scanned.damage.getFirst().offset()).isEqualTo(512 + 1_536 + 36);
    }

    private void write(int count) throws IOException {
        try (SegmentedLog log = open()) {
            for (int i = 0; i < count; i++) {
                log.commit(List.of(record(i)));
            }
        }
    }

    private SegmentedLog open() throws IOException {
        return SegmentedLog.open(files, "journal", SEGMENT_BYTES, 1, (_, _) -> {});
    }

    private Scanned scan() throws IOException {
        var scanned = new Scanned();
        JournalScan.run(files, "journal", _ -> Optional.empty(), scanned);
        return scanned;
    }

    private static List<SegmentSummary> needed(Scanned scanned) {
        return scanned.segments.stream().filter(segment -> segment.use() == Use.NEEDED).toList();
    }

    private static LogRecord record(int number) {
        byte[] text = Integer.toString(number).getBytes(UTF_8);
        return LogRecord.of(ByteBuffer.allocate(1_000).put(text).array());
    }
}
