package org.crabro.content.storage.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.content.storage.admission.FeedLimits;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.content.storage.merge.CompactionSettings;
import org.crabro.document.DocumentId;
import org.junit.jupiter.api.Test;

/** Searches all files for the bytes of removed or replaced documents. */
class EraseTest {
    private static final long SEED = Long.getLong("crabro.seed", 20_26);
    private static final CompactionSettings DEFAULT = CompactionSettings.DEFAULT;

    /** The work of a node, driven by the test's clock: there is no automatic work. */
    private static final RecentSettings SETTINGS =
            RecentSettings.DEFAULT
                    .withFeed(FeedLimits.DEFAULT.withReservedBytes(0))
                    .withCompaction(
                            new CompactionSettings(
                                    false,
                                    DEFAULT.fanOut(),
                                    DEFAULT.tiersMax(),
                                    DEFAULT.fileBytes(),
                                    DEFAULT.bytesPerSecond(),
                                    DEFAULT.removeRetention(),
                                    DEFAULT.eraseWithin()));

    private final Random random = new Random(SEED);
    private final MemoryLogFiles files = new MemoryLogFiles();
    private final TestClock clock = new TestClock();

    /** A clock that a test sets. */
    private static final class TestClock implements InstantSource {
        private Instant now = Instant.ofEpochSecond(1_800_000_000);

        @Override
        public Instant instant() {
            return now;
        }
    }

    @Test
    void leavesNothingOfWhatWasRemovedOrReplaced() throws IOException {
        String removed = secret();
        String replaced = secret();
        DocumentId gone = Notes.id("g", 100_001);
        try (DocumentStore store = open()) {
            Notes.put(store, gone, removed);
            Notes.put(store, Notes.id("g", 2), replaced);
            passDays(store, 40);
            assertThat(filesWith(removed)).isNotEmpty();
            assertThat(filesWith(replaced)).isNotEmpty();

            Notes.remove(store, gone);
            Notes.put(store, Notes.id("g", 2), "new");
            passDays(store, (int) DEFAULT.eraseWithin().toDays());

            assertThat(filesWith(removed)).isEmpty();
            assertThat(filesWith(replaced)).isEmpty();
            assertThat(filesWith(gone.toString())).isEmpty();
            assertThat(Notes.text(store, gone)).isEmpty();
            assertThat(Notes.text(store, Notes.id("g", 2))).isEqualTo("new");
        }
    }

    @Test
    void leavesNothingOfAGroupThatWasRemoved() throws IOException {
        String removed = secret();
        DocumentId gone = Notes.id("somebody", 100_001);
        try (DocumentStore store = open()) {
            Notes.put(store, gone, removed);
            Notes.put(store, Notes.id("g", 2), "another");
            passDays(store, 40);
            assertThat(filesWith(removed)).isNotEmpty();

            Notes.removeGroup(store, "somebody");
            passDays(store, (int) DEFAULT.eraseWithin().toDays());

            assertThat(filesWith(removed)).isEmpty();
            assertThat(filesWith("g=somebody")).isEmpty();
            assertThat(Notes.text(store, Notes.id("g", 2))).isEqualTo("another");
        }
    }

    /** Other writes continue, at other times of the day, and the node restarts in between. */
    @Test
    void leavesNothingWhateverElseIsWritten() throws IOException {
        String removed = secret();
        DocumentId gone = Notes.id("g", 100_001);
        DocumentStore store = open();
        try {
            Notes.put(store, gone, removed);
            Notes.remove(store, gone);
            for (int hours = 0; hours < 24 * 30; hours += 7) {
                Notes.put(store, Notes.id("g", random.nextInt(50)), "x" + random.nextInt());
                clock.now = clock.now.plus(Duration.ofHours(7));
                work(store);
                if (random.nextInt(10) == 0) {
                    store.flush();
                }
                if (random.nextInt(30) == 0) {
                    store.close();
                    store = open();
                }
                assertThat(Notes.text(store, gone)).isEmpty();
            }

            assertThat(filesWith(removed)).as("seed %d", SEED).isEmpty();
            assertThat(filesWith(gone.toString())).as("seed %d", SEED).isEmpty();
            assertThat(Notes.seen(store, new KeyRange.Everything())).doesNotContainValue(removed);
        } finally {
            store.close();
        }
    }

    private void passDays(DocumentStore store, int days) throws IOException {
        for (int day = 0; day < days; day++) {
            clock.now = clock.now.plus(Duration.ofDays(1));
            work(store);
        }
    }

    /** Does the periodic work of the node's threads. */
    private static void work(DocumentStore store) throws IOException {
        store.flushOld();
        store.compact();
    }

    /** Returns text that no block compresses. */
    private String secret() {
        return random.ints(60, 'a', 'z')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private DocumentStore open() throws IOException {
        DocumentStore store =
                DocumentStore.open(
                        files, StoreOptions.of(Notes.PARTITIONS.count(), SETTINGS, clock));
        store.keep(Notes.TYPE, SearchedTexts.NONE);
        return store;
    }

    private Set<String> filesWith(String text) throws IOException {
        var files = new TreeSet<String>();
        collect("", text, files);
        return files;
    }

    private void collect(String directory, String text, Set<String> names) throws IOException {
        for (String name : files.list(directory)) {
            String path = directory.isEmpty() ? name : directory + "/" + name;
            if (!files.list(path).isEmpty()) {
                collect(path, text, names);
            } else if (new String(bytes(path), UTF_8).contains(text)) {
                names.add(path);
            }
        }
    }

    private byte[] bytes(String path) throws IOException {
        try (LogFiles.LogFile file = files.open(path)) {
            ByteBuffer all = ByteBuffer.allocate((int) file.size());
            file.read(all, 0);
            return all.array();
        }
    }
}
