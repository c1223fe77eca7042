package org.crabro.content.storage.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.document.DocumentId;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Stores with several journals, with two shards for four partitions. */
class ShardsTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(1_000));
    private static final KeyRange EVERYTHING = new KeyRange.Everything();
    private static final int DOCUMENTS = 40;

    @RegisterExtension
    final FaultyLogFiles files = new FaultyLogFiles(new Random(Long.getLong("crabro.seed", 20_26)));

    private final DurableJournals journals = new DurableJournals(2);

    @Test
    void eachJournalGetsTheRowsOfItsPartitions() throws IOException {
        try (DocumentStore store = open()) {
            put(store, "text");

            assertThat(journals.partitions(0)).containsExactlyInAnyOrder(0, 2);
            assertThat(journals.partitions(1)).containsExactlyInAnyOrder(1, 3);
        }
    }

    @Test
    void rowsOfOneRequestGoToTheJournalsOfTheirPartitions() throws IOException {
        try (DocumentStore store = open()) {
            List<Write.Row> writes = new ArrayList<>();
            for (int i = 0; i < DOCUMENTS; i++) {
                writes.add(Notes.write(Notes.plain(i), "text " + i));
            }

            List<WriteReply> replies = store.write(writes, List.of(), Notes.soon());

            assertThat(replies).hasSize(DOCUMENTS).allMatch(WriteReply.Stored.class::isInstance);
            for (int i = 0; i < DOCUMENTS; i++) {
                WriteReply.Stored stored = (WriteReply.Stored) replies.get(i);
                assertThat(stored.position().partition()).isEqualTo(writes.get(i).partition());
            }
            assertThat(Notes.seen(store, EVERYTHING)).isEqualTo(expected("text "));
        }
    }

    @Test
    void aStartSkipsRowsThatAreInRuns() throws IOException {
        try (DocumentStore store = open()) {
            put(store, "old ");
            // Their journals do not release rows that others of the shard have not flushed.
            store.flush(0);
            store.flush(1);
            assertThat(journals.partitions(0)).contains(2);
        }

        try (DocumentStore store = open()) {
            assertThat(Notes.seen(store, EVERYTHING)).isEqualTo(expected("old "));
            put(store, "new ");
            store.flush();
            assertThat(journals.partitions(0)).isEmpty();
            assertThat(journals.partitions(1)).isEmpty();
        }

        try (DocumentStore store = open()) {
            assertThat(Notes.seen(store, EVERYTHING)).isEqualTo(expected("new "));
        }
    }

    @Test
    void nodesWithReplicasDoNotStartOnTheDataOfANodeWithout() throws IOException {
        try (DocumentStore store =
                DocumentStore.open(
                        files,
                        StoreOptions.of(Notes.PARTITIONS.count(), RecentSettings.DEFAULT, CLOCK))) {
            store.keep(Notes.TYPE, SearchedTexts.NONE);
            Notes.put(store, Notes.plain(1), "text");
        }

        assertThatIOException()
                .isThrownBy(this::open)
                .withMessageContaining("has files of a node without replicas");
    }

    private DocumentStore open() throws IOException {
        DocumentStore store =
                DocumentStore.open(
                        files,
                        StoreOptions.of(Notes.PARTITIONS.count(), RecentSettings.DEFAULT, CLOCK)
                                .with(journals));
        store.keep(Notes.TYPE, SearchedTexts.NONE);
        return store;
    }

    private static void put(DocumentStore store, String text) {
        for (int i = 0; i < DOCUMENTS; i++) {
            DocumentId id = Notes.plain(i);
            assertThat(Notes.put(store, id, text + i)).isInstanceOf(WriteReply.Stored.class);
        }
    }

    private static Map<String, String> expected(String text) {
        var expected = new TreeMap<String, String>();
        for (int i = 0; i < DOCUMENTS; i++) {
            expected.put(Notes.plain(i).toString(), text + i);
        }
        return expected;
    }
}
