package org.crabro.content;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.crabro.content.journal.MemoryLogFiles;
import org.crabro.content.run.BlockWriter;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchReply;
import org.junit.jupiter.api.Test;

class RecentSearchTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int MAILS = 2 * BlockWriter.ROWS_MAX + 10;

    @Test
    void findsTheWordsOfRecentRowsAsThoseOfRuns() throws IOException {
        try (ContentNode node =
                ContentNode.open(
                        StoredMails.settings(Path.of("unused")),
                        new MemoryLogFiles(),
                        InstantSource.system())) {
            node.activate(StoredMails.model());
            for (int i = 0; i < MAILS; i++) {
                StoredMails.put(node, "anna", i, i % 3 == 0 ? "Hello you" : "you");
            }

            SearchReply.Found recent = search(node);
            node.flush();
            SearchReply.Found flushed = search(node);

            assertThat(recent.totalCount()).isEqualTo((MAILS + 2) / 3);
            assertThat(recent.hits()).isEqualTo(flushed.hits());
            assertThat(String.join("\n", recent.trace())).doesNotContain("tokenized");
            assertThat(flushed.totalCount()).isEqualTo(recent.totalCount());
            assertThat(String.join("\n", flushed.trace())).doesNotContain("tokenized");
        }
    }

    /** Each row, as it comes, goes into the parts of the tail, and through all of their sizes. */
    @Test
    void findsEachRowAndEachReplacementAtOnce() throws IOException {
        try (ContentNode node =
                ContentNode.open(
                        StoredMails.settings(Path.of("unused")),
                        new MemoryLogFiles(),
                        InstantSource.system())) {
            node.activate(StoredMails.model());
            var random = new Random(SEED);
            var greeting = new BitSet();
            for (int i = 0; i < 300; i++) {
                int mail = random.nextInt(200);
                boolean greets = random.nextBoolean();
                StoredMails.put(node, "anna", mail, greets ? "Hello you" : "you");
                greeting.set(mail, greets);
                if (random.nextInt(3) > 0) {
                    SearchReply.Found found = search(node);
                    assertThat(found.totalCount())
                            .as("after %d, seed %d", i, SEED)
                            .isEqualTo(greeting.cardinality());
                    assertThat(found.hits()).hasSize(greeting.cardinality());
                }
            }
        }
    }

    private static SearchReply.Found search(ContentNode node) {
        var tree = new QueryNode.Term("title", "hello", TermSettings.DEFAULT);
        return StoredMails.search(node, List.of(0, 1), tree, new Scope.Group("anna"), MAILS);
    }
}
