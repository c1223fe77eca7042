package org.crabro.content.storage.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.graph.GraphFields;
import org.crabro.content.storage.index.IndexSettings;
import org.crabro.content.storage.index.IndexedFields;
import org.crabro.content.storage.index.IndexedRun;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.text.Folding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IndexBuildsTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(1));
    private static final int DOCUMENTS = 200;

    private final MemoryLogFiles files = new MemoryLogFiles();

    private static IndexSettings settings(int threads) {
        return new IndexSettings(false, 1, 1 << 20, 1 << 20, threads);
    }

    private DocumentStore store() throws IOException {
        DocumentStore store =
                DocumentStore.open(
                        files,
                        StoreOptions.of(Notes.PARTITIONS.count(), RecentSettings.DEFAULT, CLOCK));
        store.keep(
                Notes.TYPE,
                SearchedTexts.NONE,
                new IndexedFields(
                        SearchedTexts.NONE, Map.of("text", Folding.CASE), Set.of(), Set.of()),
                GraphFields.NONE);
        for (int flush = 0; flush < 2; flush++) {
            for (int i = 0; i < DOCUMENTS; i++) {
                assertThat(Notes.put(store, Notes.plain(DOCUMENTS * flush + i), "text"))
                        .isInstanceOf(WriteReply.Stored.class);
            }
            store.flush();
        }
        return store;
    }

    private int indexes() throws IOException {
        int count = 0;
        for (int partition = 0; partition < Notes.PARTITIONS.count(); partition++) {
            for (String name : files.list(DocumentStore.directory(partition))) {
                count += IndexedRun.isName(name) ? 1 : 0;
            }
        }
        return count;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 9})
    void buildsAllThatAreMissing(int threads) throws IOException {
        try (DocumentStore store = store()) {
            assertThat(indexes()).isZero();

            store.index(settings(threads), () -> false);
            int built = indexes();
            store.index(settings(threads), () -> false);

            assertThat(built).isEqualTo(2 * Notes.PARTITIONS.count());
            assertThat(indexes()).isEqualTo(built);
        }
    }

    @Test
    void endsAllBuildsWhenTheNodeCloses() throws IOException {
        try (DocumentStore store = store()) {
            assertThatThrownBy(() -> store.index(settings(3), () -> true))
                    .isInstanceOf(InterruptedIOException.class);
            assertThat(indexes()).isZero();
        }
    }
}
