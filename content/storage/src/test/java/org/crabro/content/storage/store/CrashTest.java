package org.crabro.content.storage.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.crabro.content.storage.admission.FeedLimits;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.commit.JournalSettings;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.content.storage.journal.FaultyLogFiles.Loss;
import org.crabro.content.storage.merge.CompactionSettings;
import org.crabro.document.DocumentId;
import org.crabro.protocol.feed.WriteReply;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Stops a store in the middle of a write, a force, a flush, a merge or a recovery, removes unforced
 * bytes, and compares the store with a plain map of the acknowledged writes.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CrashTest {
    private static final long SEED = Long.getLong("crabro.seed", 20_26);
    private static final int STOPS = 200;
    private static final int DOCUMENTS = 30;
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(1));

    /** Merges run only when a test starts them. */
    private static final CompactionSettings IDLE =
            new CompactionSettings(
                    false, 4, 1_000, 1 << 20, 1 << 20, Duration.ZERO, Duration.ofDays(30));

    /** Flushes run only when a test starts them: then effects have the same order each time. */
    private static final RecentSettings SETTINGS = settings(64 << 20);

    private static RecentSettings settings(int recentBytes) {
        return new RecentSettings(
                recentBytes,
                Duration.ofDays(1),
                new JournalSettings(64 << 20, 16 << 10, 2, Duration.ofDays(1), 100, 1 << 20),
                FeedLimits.DEFAULT.withRowBytes(8_000).withReservedBytes(0),
                IDLE,
                new OverloadSettings(Duration.ofMillis(100), Duration.ofMillis(1)));
    }

    /** The acknowledged writes, and the one write whose outcome is unknown. */
    private static final class Expected {
        private final Map<DocumentId, String> acknowledged = new HashMap<>();
        private final Map<DocumentId, String> unknown = new HashMap<>();

        /** Checks the store, and takes its content as the expected state from now on. */
        void check(DocumentStore store, String when) {
            NavigableMap<String, String> seen = Notes.seen(store, new KeyRange.Everything());
            for (int i = 0; i < DOCUMENTS; i++) {
                DocumentId id = id(i);
                String text = Notes.text(store, id);
                String last = acknowledged.getOrDefault(id, "");
                assertThat(text)
                        .as("%s %s", id, when)
                        .isIn(List.of(last, unknown.getOrDefault(id, last)));
                assertThat(seen.getOrDefault(id.toString(), ""))
                        .as("%s %s", id, when)
                        .isEqualTo(text);
                acknowledged.put(id, text);
            }
            unknown.clear();
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyAcknowledgedDocumentIsThereOnceWhereverItStops(Loss loss) throws IOException {
        for (int stop = 0; stop < STOPS / 2; stop++) {
            var random = new Random(SEED * STOPS + stop);
            String when = "after stop %d, %s, seed %d".formatted(stop, loss, SEED);
            var expected = new Expected();
            var files = new FaultyLogFiles(random);
            for (int life = 0; life < 2; life++) {
                files.stopAfter(random.nextInt(1, 200));
                live(files, random, expected);
                files = files.afterCrash(loss);
                if (random.nextBoolean()) {
                    files.stopAfter(random.nextInt(1, 40));
                    recover(files);
                    files = files.afterCrash(loss);
                }
                try (DocumentStore store = open(files)) {
                    expected.check(store, when);
                }
                files.checkNothingIsLeft();
            }
        }
    }

    /** Several threads write at the same time, and partitions are flushed meanwhile. */
    @Test
    void everyAcknowledgedDocumentIsThereWhenManyWrite() throws Exception {
        RecentSettings busy = settings(40_000);
        for (int stop = 0; stop < 20; stop++) {
            var random = new Random(SEED + stop);
            var files = new FaultyLogFiles(random);
            files.stopAfter(random.nextInt(60, 160));
            Map<DocumentId, String> acknowledged = new ConcurrentHashMap<>();
            try (DocumentStore store = open(files, busy);
                    ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int writer = 0; writer < 16; writer++) {
                    DocumentId id = id(writer);
                    writers.execute(() -> writeUntilStopped(store, id, acknowledged));
                }
            } catch (FaultyLogFiles.StoppedException _) {
                assertThat(files.hasStopped()).isTrue();
            }

            try (DocumentStore store = open(files.afterCrash(Loss.SOME), busy)) {
                Map<String, String> seen = Notes.seen(store, new KeyRange.Everything());
                acknowledged.forEach((id, text) ->
                        assertThat(number(seen.get(id.toString())))
                                .as("%s, seed %d", id, SEED)
                                .isBetween(number(text), number(text) + 1));
            }
        }
    }

    /** Writes rising numbers; the one after the last acknowledged number may exist. */
    private static void writeUntilStopped(
            DocumentStore store, DocumentId id, Map<DocumentId, String> acknowledged) {
        for (int number = 0; ; number++) {
            String text = number + "x".repeat(500);
            if (!(Notes.put(store, id, text) instanceof WriteReply.Stored)) {
                return;
            }
            acknowledged.put(id, text);
        }
    }

    private static int number(@Nullable String text) {
        return text == null ? -1 : Integer.parseInt(text.replace("x", ""));
    }

    /** The power fails when the write is acknowledged, regardless of later effects. */
    @Test
    void everyAcknowledgedDocumentIsForcedWhenTheWriterIsTold() throws IOException {
        var random = new Random(SEED);
        var files = new FaultyLogFiles(random);
        Map<DocumentId, String> acknowledged =
                new TreeMap<>(java.util.Comparator.comparing(DocumentId::toString));
        try (DocumentStore store = open(files)) {
            for (int i = 0; i < STOPS; i++) {
                DocumentId id = id(random.nextInt(DOCUMENTS));
                String text = "version " + i;
                assertThat(write(store, id, text)).isInstanceOf(WriteReply.Stored.class);
                acknowledged.put(id, text);
                if (random.nextInt(20) == 0) {
                    store.flush();
                }

                try (DocumentStore reopened = open(files.afterCrash(Loss.EVERYTHING))) {
                    for (Map.Entry<DocumentId, String> entry : acknowledged.entrySet()) {
                        assertThat(Notes.text(reopened, entry.getKey()))
                                .as("%s at write %d, seed %d", entry.getKey(), i, SEED)
                                .isEqualTo(entry.getValue());
                    }
                }
            }
        }
    }

    /** Writes, removes and flushes until the files stop. */
    private static void live(FaultyLogFiles files, Random random, Expected expected)
            throws IOException {
        try (DocumentStore store = open(files)) {
            while (!files.hasStopped()) {
                DocumentId id = id(random.nextInt(DOCUMENTS));
                boolean isRemove = random.nextInt(4) == 0;
                String text = isRemove ? "" : "x".repeat(random.nextInt(2_000)) + random.nextInt();
                WriteReply reply = write(store, id, text);
                if (reply instanceof WriteReply.Stored) {
                    expected.acknowledged.put(id, text);
                } else {
                    expected.unknown.put(id, text);
                    break;
                }
                if (random.nextInt(10) == 0) {
                    store.flush();
                } else if (random.nextInt(5) == 0) {
                    store.flush(random.nextInt(Notes.PARTITIONS.count()));
                }
                if (random.nextInt(4) == 0) {
                    store.compact(random.nextInt(Notes.PARTITIONS.count()), merging(random));
                }
            }
        } catch (FaultyLogFiles.StoppedException _) {
            assertThat(files.hasStopped()).isTrue();
        }
    }

    /** Small files make steps of a merge; tombstones are dropped as early as possible, or kept. */
    private static CompactionSettings merging(Random random) {
        Duration retention = random.nextBoolean() ? Duration.ZERO : Duration.ofDays(14);
        return new CompactionSettings(
                false,
                2 + random.nextInt(2),
                6,
                1 + random.nextInt(8_000),
                1 << 20,
                retention,
                retention);
    }

    private static void recover(FaultyLogFiles files) throws IOException {
        try (DocumentStore store = open(files)) {
            store.flush();
            for (int i = 0; i < Notes.PARTITIONS.count(); i++) {
                store.compact(i, merging(new Random(SEED + i)));
            }
        } catch (FaultyLogFiles.StoppedException _) {
            assertThat(files.hasStopped()).isTrue();
        }
    }

    private static WriteReply write(DocumentStore store, DocumentId id, String text) {
        return text.isEmpty() ? Notes.remove(store, id) : Notes.put(store, id, text);
    }

    private static DocumentId id(int number) {
        return number % 3 == 0 ? Notes.plain(number) : Notes.id("g" + number % 4, number);
    }

    private static DocumentStore open(FaultyLogFiles files) throws IOException {
        return open(files, SETTINGS);
    }

    private static DocumentStore open(FaultyLogFiles files, RecentSettings settings)
            throws IOException {
        DocumentStore store =
                DocumentStore.open(
                        files, StoreOptions.of(Notes.PARTITIONS.count(), settings, CLOCK));
        try {
            store.keep(Notes.TYPE, SearchedTexts.NONE);
            return store;
        } catch (IOException e) {
            store.close();
            throw e;
        }
    }
}
