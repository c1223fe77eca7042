package org.crabro.content.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.crabro.content.block.SearchedTexts;
import org.crabro.content.recent.DocumentStore;
import org.crabro.content.recent.Freshness;
import org.crabro.content.recent.Notes;
import org.crabro.content.recent.RecentSettings;
import org.crabro.document.DocumentId;
import org.crabro.protocol.feed.FeedReply;
import org.crabro.protocol.wire.Deadline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RatisGroupsTest {
    @Test
    void aWriteIsOnAllReplicasAndSurvivesARestartOfAll(@TempDir Path directory) throws Exception {
        DocumentId id = Notes.plain(1);
        try (RaftNodes nodes = RaftNodes.start(directory, 3, 1, RecentSettings.DEFAULT)) {
            RaftNodes.Node leader = awaitLeader(nodes);

            FeedReply reply = write(leader, id, "one");

            assertThat(reply).isInstanceOf(FeedReply.Stored.class);
            awaitText(nodes, id, "one");
            for (RaftNodes.Node each : nodes.all()) {
                each.stop();
            }
            for (RaftNodes.Node each : nodes.all()) {
                each.start();
            }
            awaitText(nodes, id, "one");
            RaftNodes.Node next = awaitLeader(nodes);
            assertThat(next.store().orElseThrow().awaitCurrent(List.of(0), soon()))
                    .isEqualTo(Freshness.CURRENT);
            assertThat(nodes.failures()).isEmpty();
        }
    }

    private static RaftNodes.Node awaitLeader(RaftNodes nodes) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> nodes.leader(0), Optional::isPresent)
                .orElseThrow();
    }

    private static FeedReply write(RaftNodes.Node node, DocumentId id, String text)
            throws IOException {
        DocumentStore store = node.store().orElseThrow();
        store.keep(Notes.TYPE, SearchedTexts.NONE);
        return Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(5))
                .until(
                        () -> store.write(Notes.write(id, text), soon()),
                        reply -> !(reply instanceof FeedReply.Overloaded));
    }

    private static void awaitText(RaftNodes nodes, DocumentId id, String text) {
        for (RaftNodes.Node each : nodes.all()) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> Notes.text(each.store().orElseThrow(), id).equals(text));
        }
    }

    private static Deadline soon() {
        return Deadline.after(Duration.ofSeconds(30));
    }
}
