package org.crabro.content.storage.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.graph.GraphFields;
import org.crabro.content.storage.index.IndexSettings;
import org.crabro.content.storage.index.IndexedFields;
import org.crabro.content.storage.index.LiveRows;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.content.storage.read.IndexedSection;
import org.crabro.content.storage.read.RowFinder;
import org.crabro.content.storage.read.View;
import org.crabro.document.DocumentId;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.text.Folding;
import org.junit.jupiter.api.Test;

/** The live rows of sections with indexes, which are kept with the versions of runs. */
class CachedLiveRowsTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(1));
    private static final IndexSettings SETTINGS = new IndexSettings(false, 1, 1 << 20, 1 << 20, 2);
    private static final int DOCUMENTS = 400;

    private final Random random = new Random(SEED);
    private final Set<DocumentId> alive = new HashSet<>();

    private static DocumentStore store() throws IOException {
        DocumentStore store =
                DocumentStore.open(
                        new MemoryLogFiles(),
                        StoreOptions.of(Notes.PARTITIONS.count(), RecentSettings.DEFAULT, CLOCK));
        store.keep(
                Notes.TYPE,
                SearchedTexts.NONE,
                new IndexedFields(
                        SearchedTexts.NONE, Map.of("text", Folding.CASE), Set.of(), Set.of()),
                GraphFields.NONE);
        return store;
    }

    private void put(DocumentStore store, int number) {
        DocumentId id = Notes.plain(number);
        assertThat(Notes.put(store, id, "text")).isInstanceOf(WriteReply.Stored.class);
        alive.add(id);
    }

    private void remove(DocumentStore store, int number) {
        DocumentId id = Notes.plain(number);
        assertThat(Notes.remove(store, id)).isInstanceOf(WriteReply.Stored.class);
        alive.remove(id);
    }

    /** The indexed sections of all partitions, and the number of documents in no index. */
    private static final class Sections implements RowFinder {
        private final List<LiveRows> live = new ArrayList<>();
        private long others;

        @Override
        public Answer find(IndexedSection section) {
            LiveRows rows = section.live().orElseThrow();
            for (int row = 0; row < section.rowCount(); row++) {
                assertThat(section.included().has(row)).isEqualTo(rows.has(row));
            }
            assertThat(section.included().areAll()).isEqualTo(rows.isEvery());
            live.add(rows);
            return new Answer.Taken();
        }

        @Override
        public void skip(int count) {
            throw new AssertionError("all sections are taken");
        }

        static Sections of(DocumentStore store) {
            var sections = new Sections();
            for (int partition = 0; partition < Notes.PARTITIONS.count(); partition++) {
                try (View view = store.view(partition)) {
                    view.slices(
                                    Notes.TYPE.name(),
                                    new KeyRange.Everything(),
                                    sections,
                                    new ReadContext())
                            .forEach(slice -> sections.others += slice.liveCount());
                }
            }
            return sections;
        }

        long count() {
            return others + live.stream().mapToLong(LiveRows::count).sum();
        }
    }

    private static void index(DocumentStore store) throws IOException {
        store.flush();
        store.index(SETTINGS, () -> false);
    }

    @Test
    void keepsThemUntilRunsChange() throws IOException {
        try (DocumentStore store = store()) {
            for (int i = 0; i < DOCUMENTS; i++) {
                put(store, i);
            }
            index(store);
            for (int i = 0; i < DOCUMENTS / 4; i++) {
                remove(store, i);
            }
            index(store);

            Sections first = Sections.of(store);
            Sections second = Sections.of(store);

            assertThat(first.live).anyMatch(each -> !each.isEvery());
            assertThat(first.count()).isEqualTo(alive.size());
            for (int i = 0; i < first.live.size(); i++) {
                assertThat(second.live.get(i)).isSameAs(first.live.get(i));
            }

            remove(store, DOCUMENTS - 1);
            Sections changed = Sections.of(store);

            assertThat(changed.count()).isEqualTo(alive.size());
            assertThat(first.count()).isEqualTo(alive.size() + 1);
        }
    }

    @Test
    void countsDocumentsInRandomHistories() throws IOException {
        try (DocumentStore store = store()) {
            for (int step = 0; step < 40; step++) {
                for (int i = random.nextInt(40); i > 0; i--) {
                    int number = random.nextInt(DOCUMENTS);
                    if (random.nextInt(3) > 0) {
                        put(store, number);
                    } else {
                        remove(store, number);
                    }
                }
                switch (random.nextInt(4)) {
                    case 0 -> index(store);
                    case 1 -> store.compact();
                    default -> {
                        // Documents stay in memory.
                    }
                }
                assertThat(Sections.of(store).count())
                        .as("step %d, seed %d", step, SEED)
                        .isEqualTo(alive.size());
            }
        }
    }
}
