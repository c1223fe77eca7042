package org.crabro.content.storage.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.document.DocumentId;
import org.crabro.protocol.feed.WriteReply;
import org.junit.jupiter.api.Test;

class ReplicaSpaceTest {
    private static final DocumentId NOTE = Notes.plain(1);
    private static final WriteReply FULL = new WriteReply.OutOfSpace("node 2 is full");

    @Test
    void refusesPutsWhileAnotherReplicaHasNoRoom() throws IOException {
        try (var store =
                DocumentStore.open(
                        new MemoryLogFiles(),
                        StoreOptions.of(
                                Notes.PARTITIONS.count(),
                                RecentSettings.DEFAULT,
                                InstantSource.system()))) {
            store.keep(Notes.TYPE, SearchedTexts.NONE);
            assertThat(Notes.put(store, NOTE, "a")).isInstanceOf(WriteReply.Stored.class);

            store.refusePuts(Map.of(0, "node 2 is full"));

            assertThat(Notes.put(store, NOTE, "b")).isEqualTo(FULL);
            assertThat(store.write(List.of(Notes.write(NOTE, "b")), List.of(), Notes.soon()))
                    .containsExactly(FULL);
            assertThat(Notes.text(store, NOTE)).isEqualTo("a");
            assertThat(Notes.remove(store, NOTE)).isInstanceOf(WriteReply.Stored.class);
            assertThat(store.putsRefused()).as("this replica has room").isEmpty();

            store.refusePuts(Map.of());

            assertThat(Notes.put(store, NOTE, "b")).isInstanceOf(WriteReply.Stored.class);
        }
    }
}
