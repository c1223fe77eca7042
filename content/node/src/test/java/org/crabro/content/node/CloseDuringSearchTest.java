package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.document.FieldValue;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.RankedQuery;
import org.crabro.protocol.search.ReplySettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.wire.Deadline;
import org.junit.jupiter.api.Test;

class CloseDuringSearchTest {
    private static final int LENGTH = 200_000;

    /** A search that evaluates one long value for minutes ends when the node closes. */
    @Test
    void closingEndsSearchesInsideARow() throws Exception {
        var isInside = new CountDownLatch(1);
        var questions = new AtomicInteger();
        var deadline =
                new Deadline(
                        System.nanoTime() + Duration.ofMinutes(10).toNanos(),
                        () -> {
                            if (questions.incrementAndGet() > 50) {
                                isInside.countDown();
                            }
                            return false;
                        });
        NodeFixture node = StoredMails.open(new MemoryLogFiles());
        SearchRequest asked = node.request("mail", new QueryNode.All(), new Scope.Everything(), 1);
        var poison =
                new SearchRequest(
                        node.header(deadline),
                        asked.scope(),
                        new RankedQuery(
                                new QueryNode.Regex("lang", "(a?){900}z", TermSettings.DEFAULT),
                                asked.query().ranking()),
                        asked.hits(),
                        asked.grouping(),
                        new ReplySettings(true, 0));
        FieldValue value = new FieldValue.StringValue("a".repeat(LENGTH));
        for (int i = 0; i < 3; i++) {
            StoredMails.put(node, "anna", i, Map.of("lang", value));
        }
        try (var client = Executors.newSingleThreadExecutor()) {
            Future<SearchReply> reply = client.submit(() -> node.node().search(poison));
            assertThat(isInside.await(60, TimeUnit.SECONDS)).isTrue();

            node.close();

            assertThat(reply.get()).isEqualTo(new SearchReply.Failed("the node is being stopped"));
        }
    }
}
