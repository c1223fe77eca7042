package org.crabro.content;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.crabro.content.journal.MemoryLogFiles;
import org.crabro.content.run.BlockWriter;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchReply;
import org.junit.jupiter.api.Test;

class RecentSearchTest {
    private static final int MAILS = 2 * BlockWriter.ROWS_MAX + 10;

    @Test
    void tokenizesOnlyWhatIsInNoSealedBlock() throws IOException {
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
            assertThat(String.join("\n", recent.trace())).contains("tokenized 1 blocks");
            assertThat(flushed.totalCount()).isEqualTo(recent.totalCount());
            assertThat(String.join("\n", flushed.trace())).doesNotContain("tokenized");
        }
    }

    private static SearchReply.Found search(ContentNode node) {
        var tree = new QueryNode.Term("title", "hello", TermSettings.DEFAULT);
        return StoredMails.search(node, List.of(0, 1), tree, new Scope.Group("anna"), MAILS);
    }
}
