package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.RankProfile;
import org.crabro.content.search.execution.Mails;
import org.crabro.content.storage.index.IndexSettings;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldValue;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.RankedQuery;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.wire.Deadline;
import org.crabro.ranking.expression.ExpressionParser;
import org.junit.jupiter.api.Test;

/** Searches for predicates in two nodes with the same documents. One of them has indexes. */
class PredicateIndexTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int ROUNDS = Integer.getInteger("crabro.histories", 3);
    private static final int STEPS = 60;
    private static final int DOCUMENTS = 300;
    private static final DocumentType TYPE =
            new DocumentType(
                    "ad",
                    List.of(
                            new Field("target", Primitive.PREDICATE, true),
                            new Field("price", Primitive.INT, true)));

    private static ApplicationModel model() {
        var cheapest =
                new RankProfile(
                        "cheapest",
                        Map.of(),
                        ExpressionParser.parse("-attribute(price)"),
                        Map.of(),
                        Map.of());
        return NodeFixture.model(
                Map.of(
                        "ad",
                        FastSearchSchema.of(
                                TYPE,
                                Set.of(Aspect.ATTRIBUTE),
                                "price",
                                Map.of("cheapest", cheapest))));
    }

    private static QueryNode.Range priceBelow(int price) {
        return new QueryNode.Range(
                "price",
                new RangeEnd.Unbounded(),
                new RangeEnd.Whole(price, false),
                TermSettings.DEFAULT);
    }

    private static SearchReply.Found search(NodeFixture node, QueryNode tree, int hits) {
        return node.search(
                "ad",
                new RankedQuery(
                        tree,
                        new RankSettings(
                                "cheapest", Map.of(), RankSettings.Statistics.NONE, Mails.NOW)),
                new HitSettings(hits, List.of(), SummarySettings.DEFAULT),
                1);
    }

    /** One history of both nodes. */
    private static final class History implements AutoCloseable {
        private final long seed;
        private final Random random;
        private final RandomPredicates predicates;
        private final MemoryLogFiles files = new MemoryLogFiles();
        private final IndexSettings settings;
        private final NodeFixture indexed;
        private final NodeFixture scanned;
        private int answered;

        History(long seed) throws IOException {
            this.seed = seed;
            this.random = new Random(seed);
            this.predicates = new RandomPredicates(random);
            this.settings =
                    new IndexSettings(
                            random.nextBoolean(), 1 + random.nextInt(8), 1 << 20, 1 << 20, 2);
            this.indexed =
                    NodeFixture.open(NodeFixture.settings().withIndex(settings), files)
                            .serving(model());
            this.scanned =
                    NodeFixture.open(NodeFixture.settings(), new MemoryLogFiles()).serving(model());
        }

        void run() throws IOException {
            for (int step = 0; step < STEPS; step++) {
                String what = step();
                for (int i = 0; i < 6; i++) {
                    compare("step %d, after %s".formatted(step, what));
                }
            }
        }

        private String step() throws IOException {
            return switch (random.nextInt(10)) {
                case 0, 1, 2 -> {
                    for (int i = random.nextInt(60); i > 0; i--) {
                        put();
                    }
                    yield "puts";
                }
                case 3 -> {
                    for (int i = random.nextInt(20); i > 0; i--) {
                        DocumentId gone = id();
                        both(indexed.remove(gone), scanned.remove(gone));
                    }
                    yield "removes";
                }
                case 4, 5 -> {
                    indexed.flush();
                    yield "a flush";
                }
                case 6 -> {
                    indexed.node().settle(Deadline.after(Duration.ofMinutes(1)));
                    yield "merges";
                }
                case 7 -> {
                    indexed.node().close();
                    IndexLoss.strike(files, random);
                    indexed.restart();
                    indexed.activate(model());
                    yield "lost and damaged indexes";
                }
                default -> {
                    indexed.node().index(settings);
                    yield "indexing";
                }
            };
        }

        private DocumentId id() {
            return DocumentId.parse("id:a:ad::" + random.nextInt(DOCUMENTS));
        }

        private void put() {
            DocumentId id = id();
            var fields = new HashMap<String, FieldValue>();
            fields.put("price", new FieldValue.IntValue(random.nextInt(20)));
            if (random.nextInt(10) > 0) {
                fields.put("target", new FieldValue.StringValue(predicates.text()));
            }
            both(indexed.put(id, fields), scanned.put(id, fields));
        }

        private void both(WriteReply one, WriteReply other) {
            assertThat(one).isInstanceOf(WriteReply.Stored.class);
            assertThat(other).isInstanceOf(WriteReply.Stored.class);
        }

        private QueryNode tree() {
            QueryNode.Predicate predicate = predicates.query("target");
            QueryNode.Range cheap = priceBelow(random.nextInt(20));
            return switch (random.nextInt(6)) {
                case 0 -> new QueryNode.And(List.of(predicate, cheap));
                case 1 -> new QueryNode.Or(List.of(predicate, cheap));
                case 2 -> new QueryNode.Without(cheap, List.of(predicate));
                case 3 -> new QueryNode.Or(List.of(predicate, predicates.query("target")));
                default -> predicate;
            };
        }

        private void compare(String what) {
            QueryNode tree = tree();
            int hits = random.nextInt(3) == 0 ? 0 : random.nextInt(30);

            SearchReply.Found reply = search(indexed, tree, hits);
            SearchReply.Found expected = search(scanned, tree, hits);

            String description = "%s: %s, seed %d".formatted(what, tree, seed);
            assertThat(reply.totalCount()).as(description).isEqualTo(expected.totalCount());
            assertThat(reply.hits()).as(description).isEqualTo(expected.hits());
            assertThat(reply.report().coverage())
                    .as(description)
                    .isEqualTo(expected.report().coverage());
            answered +=
                    String.join("\n", reply.report().trace()).contains(" with candidates") ? 1 : 0;
        }

        @Override
        public void close() {
            indexed.close();
            scanned.close();
        }
    }

    @Test
    void findsTheSameWithAndWithoutIndexesInRandomHistories() throws IOException {
        int answered = 0;
        for (int round = 0; round < ROUNDS; round++) {
            try (var history = new History(SEED + round)) {
                history.run();
                answered += history.answered;
            }
        }

        assertThat(answered).as("seed %d", SEED).isGreaterThan(ROUNDS * STEPS / 2);
    }

    @Test
    void countsWithoutReadingDocuments() throws IOException {
        var settings = new IndexSettings(false, 1, 1 << 20, 1 << 20, 1);
        try (NodeFixture node =
                NodeFixture.open(NodeFixture.settings().withIndex(settings), new MemoryLogFiles())
                        .serving(model())) {
            for (int i = 0; i < 50; i++) {
                String text = i % 5 == 0 ? "age not in [20..30]" : "age in [20..%d]".formatted(i);
                assertThat(
                                node.put(
                                        DocumentId.parse("id:a:ad::" + i),
                                        Map.of("target", new FieldValue.StringValue(text))))
                        .isInstanceOf(WriteReply.Stored.class);
            }
            node.flush();
            node.node().index(settings);
            var tree =
                    new QueryNode.Predicate(
                            "target",
                            List.of(),
                            List.of(new QueryNode.AttributeNumber("age", 40)),
                            TermSettings.DEFAULT);

            SearchReply.Found reply = search(node, tree, 0);

            // 10 predicates with not, and 8 whose range ends at 41 or above.
            assertThat(reply.totalCount()).isEqualTo(10 + 8);
            assertThat(String.join("\n", reply.report().trace()))
                    .contains("50 documents left out unread");
        }
    }
}
