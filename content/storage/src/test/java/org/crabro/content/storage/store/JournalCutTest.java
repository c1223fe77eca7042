package org.crabro.content.storage.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.crabro.content.storage.admission.FeedLimits;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.commit.JournalSettings;
import org.crabro.content.storage.journal.CorruptJournalException;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.content.storage.journal.FaultyLogFiles.Loss;
import org.crabro.content.storage.journal.JournalSalvage;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.merge.CompactionSettings;
import org.crabro.document.DocumentId;
import org.crabro.protocol.feed.WriteReply;
import org.junit.jupiter.api.Test;

/** Damages one record of a journal, and continues without it. */
class JournalCutTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int HISTORIES = 60;
    private static final int WRITES = 100;
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(1));
    private static final RecentSettings SETTINGS =
            new RecentSettings(
                    64 << 20,
                    Duration.ofDays(1),
                    new JournalSettings(64 << 20, 16 << 10, 2, Duration.ofDays(1), 100, 1 << 20),
                    FeedLimits.DEFAULT.withRowBytes(8_000).withReservedBytes(0),
                    CompactionSettings.DEFAULT.withAutomatic(false),
                    new OverloadSettings(Duration.ofMillis(100), Duration.ofMillis(1)));

    private record Version(DocumentId id, String text, boolean isRemove) {}

    private final NavigableMap<Long, Version> written = new TreeMap<>();
    private final long[] covered = new long[Notes.PARTITIONS.count()];

    @Test
    void losesNothingButWhatIsDamagedWhereverItStops() throws IOException {
        int damaged = 0;
        int lost = 0;
        for (int history = 0; history < HISTORIES; history++) {
            long seed = SEED + history;
            var random = new Random(seed);
            var files = new FaultyLogFiles(random);
            write(files, random);
            long victim = damage(files, random);
            if (opens(files)) {
                // The record was in a file that is not needed.
                continue;
            }
            Version missing = Objects.requireNonNull(written.get(victim));
            int partition = Notes.PARTITIONS.of(missing.id().location());
            boolean isLost = victim > covered[partition];

            JournalCut.Report report = run(files, false);

            for (JournalSalvage.Gap gap : report.lost()) {
                assertThat(gap.first()).as("seed %d", seed).isEqualTo(victim);
                assertThat(gap.last()).as("seed %d", seed).isEqualTo(victim);
                assertThat(gap.file()).startsWith("journal/");
            }
            assertThat(report.partitions().contains(partition)).isEqualTo(isLost);
            assertThat(report.records()).isEqualTo(recent() - (isLost ? 1 : 0));
            assertThat(opens(files)).isFalse();

            files = cut(files, random);

            if (isLost) {
                written.remove(victim);
                lost++;
            }
            check(files, "seed " + seed);
            damaged++;
        }

        assertThat(damaged).isGreaterThan(HISTORIES / 2);
        assertThat(lost).isBetween(HISTORIES / 4, damaged - 1);
    }

    @Test
    void losesNothingOfAWholeJournal() throws IOException {
        var random = new Random(SEED);
        var files = new FaultyLogFiles(random);
        write(files, random);

        JournalCut.Report report = run(files, true);

        assertThat(report).isEqualTo(new JournalCut.Report(recent(), List.of(), List.of()));
        check(files, "seed " + SEED);
    }

    private void write(LogFiles files, Random random) throws IOException {
        written.clear();
        Arrays.fill(covered, 0);
        try (DocumentStore store = open(files)) {
            for (int i = 0; i < WRITES; i++) {
                DocumentId id = Notes.id("g" + random.nextInt(8), random.nextInt(5));
                boolean isRemove = random.nextInt(5) == 0;
                String text = "<%d>%s".formatted(i, "x".repeat(random.nextInt(600)));
                WriteReply reply = isRemove ? Notes.remove(store, id) : Notes.put(store, id, text);
                assertThat(reply).isInstanceOf(WriteReply.Stored.class);
                long position = ((WriteReply.Stored) reply).position().position();
                written.put(position, new Version(id, isRemove ? "" : text, isRemove));
                if (random.nextInt(12) == 0) {
                    int partition = random.nextInt(covered.length);
                    store.flush(partition);
                    covered[partition] = position;
                }
            }
        }
    }

    private long recent() {
        return written.entrySet().stream()
                .filter(entry ->
                        entry.getKey()
                                > covered[Notes.PARTITIONS.of(entry.getValue().id().location())])
                .count();
    }

    /** Flips a bit in the text of a write that is not the last, and returns its position. */
    private long damage(LogFiles files, Random random) throws IOException {
        List<Long> positions = new ArrayList<>(written.headMap(written.lastKey()).keySet());
        while (true) {
            long position = positions.get(random.nextInt(positions.size()));
            String text = Objects.requireNonNull(written.get(position)).text();
            if (!text.isEmpty() && flip(files, text.substring(0, text.indexOf('>') + 1))) {
                return position;
            }
        }
    }

    private static boolean flip(LogFiles files, String text) throws IOException {
        for (String name : files.list("journal")) {
            try (LogFiles.LogFile file = files.open("journal/" + name)) {
                ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
                file.read(bytes, 0);
                int at = new String(bytes.array(), ISO_8859_1).indexOf(text);
                if (at >= 0) {
                    file.write(ByteBuffer.wrap(new byte[] {(byte) (bytes.get(at) ^ 1)}), at);
                    file.force();
                    return true;
                }
            }
        }
        return false;
    }

    /** Cuts, with stops in between, and returns the final files. */
    private static FaultyLogFiles cut(FaultyLogFiles files, Random random) throws IOException {
        FaultyLogFiles cutFiles = files;
        for (int stop = 0; stop < 3; stop++) {
            cutFiles.stopAfter(1 + random.nextInt(40));
            try {
                run(cutFiles, true);
            } catch (FaultyLogFiles.StoppedException _) {
                assertThat(cutFiles.hasStopped()).isTrue();
            }
            cutFiles = cutFiles.afterCrash(random.nextBoolean() ? Loss.EVERYTHING : Loss.SOME);
        }
        run(cutFiles, true);
        return cutFiles;
    }

    private void check(LogFiles files, String when) throws IOException {
        var expected = new TreeMap<String, String>();
        for (Version version : written.values()) {
            expected.remove(version.id().toString());
            if (!version.isRemove()) {
                expected.put(version.id().toString(), version.text());
            }
        }
        DocumentId id = Notes.id("g1", 1);
        try (DocumentStore store = open(files)) {
            assertThat(Notes.seen(store, new KeyRange.Everything())).as(when).isEqualTo(expected);
            WriteReply.Stored reply = (WriteReply.Stored) Notes.put(store, id, "after");
            assertThat(reply.position().position()).as(when).isGreaterThan(written.lastKey());
        }
        expected.put(id.toString(), "after");
        try (DocumentStore store = open(files)) {
            assertThat(Notes.seen(store, new KeyRange.Everything())).as(when).isEqualTo(expected);
        }
    }

    private static JournalCut.Report run(LogFiles files, boolean isDone) throws IOException {
        return JournalCut.run(files, Notes.PARTITIONS.count(), SETTINGS, CLOCK, isDone);
    }

    private static boolean opens(LogFiles files) throws IOException {
        try (DocumentStore _ = open(files)) {
            return true;
        } catch (CorruptJournalException _) {
            return false;
        }
    }

    private static DocumentStore open(LogFiles files) throws IOException {
        DocumentStore store =
                DocumentStore.open(
                        files, StoreOptions.of(Notes.PARTITIONS.count(), SETTINGS, CLOCK));
        store.keep(Notes.TYPE, SearchedTexts.NONE);
        return store;
    }
}
