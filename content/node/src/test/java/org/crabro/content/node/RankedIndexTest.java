package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.content.storage.index.IndexSettings;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.document.DocumentId;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Searches many documents of two nodes, one with indexes: equal scores of many documents, phrases,
 * and words that nearly all documents have.
 */
class RankedIndexTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int DOCUMENTS = 6_000;
    private static final int QUERIES = 120;
    private static final IndexSettings INDEXES = new IndexSettings(false, 50, 1 << 20, 1 << 20, 2);
    private static final List<String> PROFILES =
            List.of("equal", "body", "both", "minus", "product", "again");

    /** From the most common word on. Some are forms of the same word. */
    private static final List<String> WORDS =
            List.of(
                    "market",
                    "the",
                    "price",
                    "markets",
                    "a",
                    "of",
                    "prices",
                    "wine",
                    "old",
                    "cheese",
                    "pricing",
                    "rare",
                    "marketing",
                    "wines",
                    "truffle",
                    "quince");

    @TempDir Path directory;

    private final Random random = new Random(SEED);
    private final Set<String> ids = new HashSet<>();
    private ApplicationModel model;

    @BeforeEach
    void write() throws Exception {
        Files.writeString(
                directory.resolve("services.xml"),
                """
                <services version='1.0'>
                  <container id='default' version='1.0'><search/></container>
                  <content id='shop' version='1.0'>
                    <min-redundancy>1</min-redundancy>
                    <documents><document type='item' mode='index'/></documents>
                  </content>
                </services>
                """);
        Files.createDirectories(directory.resolve("schemas"));
        Files.writeString(
                directory.resolve("schemas/item.sd"),
                """
                schema item {
                  document item {
                    field day type int {
                      indexing: attribute
                      attribute: fast-search
                    }
                    field days type array<int> {
                      indexing: attribute
                      attribute: fast-search
                    }
                    field body type string {
                      indexing: index
                      stemming: none
                    }
                    field title type string { indexing: index }
                    field notes type array<string> {
                      indexing: index
                      stemming: none
                    }
                    field labels type weightedset<string> {
                      indexing: index
                      stemming: none
                    }
                  }
                  document-summary ids {
                    summary documentid {}
                  }
                  rank-profile equal { first-phase { expression: 7 } }
                  rank-profile body { first-phase { expression: bm25(body) } }
                  rank-profile both {
                    first-phase {
                      expression: 2 * bm25(body) + 0.5 * bm25(title) + bm25(notes)
                    }
                  }
                  rank-profile minus { first-phase { expression: 3 - bm25(body) } }
                  rank-profile product {
                    first-phase { expression: bm25(body) * (1 - bm25(title)) }
                  }
                  rank-profile again inherits both {
                    second-phase {
                      expression: 0 - bm25(body)
                      rerank-count: 20
                    }
                  }
                }
                """);
        model = ApplicationCompiler.compile(DirectoryFiles.of(directory), 1).model();
    }

    private NodeFixture node(ContentSettings settings) throws Exception {
        return NodeFixture.open(settings, new MemoryLogFiles()).serving(model);
    }

    @Test
    void findsTheSameWithAndWithoutIndexes() throws Exception {
        try (NodeFixture indexed = node(NodeFixture.settings().withIndex(INDEXES));
                NodeFixture scanned = node(NodeFixture.settings())) {
            List<NodeFixture> both = List.of(indexed, scanned);
            put(both, DOCUMENTS);
            index(indexed);
            int scored = compare(indexed, scanned, "one run");
            assertThat(scored).as("seed %d", SEED).isGreaterThan(QUERIES * 3 / 4);

            remove(both, DOCUMENTS / 10);
            put(both, DOCUMENTS / 4);
            index(indexed);
            scored = compare(indexed, scanned, "two runs, with dead rows");
            assertThat(scored).as("seed %d", SEED).isGreaterThan(QUERIES * 3 / 4);

            put(both, DOCUMENTS / 20);
            compare(indexed, scanned, "two runs, and rows in memory");
        }
    }

    @Test
    void countsRangesOfNumbersAsScansDo() throws Exception {
        try (NodeFixture indexed = node(NodeFixture.settings().withIndex(INDEXES));
                NodeFixture scanned = node(NodeFixture.settings())) {
            List<NodeFixture> both = List.of(indexed, scanned);
            put(both, DOCUMENTS);
            index(indexed);
            compareCounts(indexed, scanned, "all rows are live");

            remove(both, DOCUMENTS / 10);
            index(indexed);
            compareCounts(indexed, scanned, "with dead rows");
        }
    }

    private static void compareCounts(NodeFixture indexed, NodeFixture scanned, String what) {
        for (String field : List.of("day", "days")) {
            for (int low = -1; low <= 40; low++) {
                for (int length : List.of(-1, 0, 1, 7, 50)) {
                    var range =
                            new QueryNode.Range(
                                    field,
                                    new RangeEnd.Whole(low, true),
                                    new RangeEnd.Whole(low + length, true),
                                    TermSettings.DEFAULT);
                    assertThat(count(indexed, range))
                            .as("%s: %s, seed %d", what, range, SEED)
                            .isEqualTo(count(scanned, range));
                }
            }
        }
    }

    private static long count(NodeFixture node, QueryNode tree) {
        var ranking = new RankSettings("equal", Map.of(), RankSettings.Statistics.NONE, 1_000);
        var none = new HitSettings(0, List.of(), new SummarySettings("ids", List.of()));
        return node.search("item", new RankedQuery(tree, ranking), none, 1).totalCount();
    }

    private static void index(NodeFixture node) throws Exception {
        node.flush();
        node.node().index(INDEXES);
    }

    private void put(List<NodeFixture> nodes, int count) {
        for (int i = 0; i < count; i++) {
            String id = id();
            ids.add(id);
            var fields = new HashMap<String, FieldValue>();
            fields.put("day", new FieldValue.IntValue(random.nextInt(40)));
            optional(
                    fields,
                    "days",
                    () ->
                            new FieldValue.ArrayValue(
                                    IntStream.range(0, random.nextInt(4))
                                            .<FieldValue>mapToObj(_ ->
                                                    new FieldValue.IntValue(random.nextInt(40)))
                                            .toList()));
            optional(fields, "body", () -> new FieldValue.StringValue(text(60)));
            optional(fields, "title", () -> new FieldValue.StringValue(text(6)));
            optional(
                    fields,
                    "notes",
                    () ->
                            new FieldValue.ArrayValue(
                                    IntStream.range(0, random.nextInt(5))
                                            .<FieldValue>mapToObj(
                                                    _ -> new FieldValue.StringValue(text(4)))
                                            .toList()));
            optional(fields, "labels", this::labels);
            for (NodeFixture node : nodes) {
                assertThat(node.put(DocumentId.parse(id), fields))
                        .isInstanceOf(WriteReply.Stored.class);
            }
        }
    }

    private void optional(Map<String, FieldValue> into, String field, Supplier<FieldValue> value) {
        if (random.nextInt(20) > 0) {
            into.put(field, value.get());
        }
    }

    private FieldValue labels() {
        var weights = new HashMap<FieldValue, Integer>();
        for (int i = random.nextInt(3); i > 0; i--) {
            weights.put(new FieldValue.StringValue(text(3)), 1 + random.nextInt(5));
        }
        return new FieldValue.WeightedSetValue(weights);
    }

    /** Returns an id. Most are longer than the numbers that decide between most of them. */
    private String id() {
        int number = random.nextInt(2 * DOCUMENTS);
        return switch (number % 5) {
            case 0 -> "id:a:item::" + number;
            case 1 -> "id:b:item:g=group" + number % 7 + ":" + number;
            case 2 -> "id:a:item:n=" + number % 3 + ":" + number;
            default -> "id:a:item::https://example.org/" + number;
        };
    }

    private String text(int wordsMax) {
        var words = new ArrayList<String>();
        for (int i = random.nextInt(wordsMax + 1); i > 0; i--) {
            words.add(word());
        }
        return String.join(" ", words);
    }

    private String word() {
        double share = random.nextDouble();
        return WORDS.get((int) (WORDS.size() * share * share * share));
    }

    private void remove(List<NodeFixture> nodes, int count) {
        for (String id : ids.stream().sorted().limit(10L * count).toList()) {
            if (random.nextInt(10) == 0) {
                for (NodeFixture node : nodes) {
                    assertThat(node.remove(DocumentId.parse(id)))
                            .isInstanceOf(WriteReply.Stored.class);
                }
            }
        }
    }

    /** Returns how many queries indexes have scored. */
    private int compare(NodeFixture indexed, NodeFixture scanned, String what) {
        int scored = 0;
        for (int i = 0; i < QUERIES; i++) {
            QueryNode tree = tree(random.nextInt(3));
            String profile = PROFILES.get(random.nextInt(PROFILES.size()));
            var query =
                    new RankedQuery(
                            tree,
                            new RankSettings(
                                    profile, Map.of(), RankSettings.Statistics.NONE, 1_000));
            int count = random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(40);
            var hits = new HitSettings(count, List.of(), new SummarySettings("ids", List.of()));

            SearchReply.Found reply = indexed.search("item", query, hits, 1);
            SearchReply.Found expected = scanned.search("item", query, hits, 1);

            String description = "%s: %s by %s, seed %d".formatted(what, tree, profile, SEED);
            assertThat(reply.totalCount()).as(description).isEqualTo(expected.totalCount());
            assertThat(reply.hits()).as(description).isEqualTo(expected.hits());
            assertThat(reply.report().coverage())
                    .as(description)
                    .isEqualTo(expected.report().coverage());
            String trace = String.join("\n", reply.report().trace());
            scored += count == 0 || trace.contains("indexes scored") ? 1 : 0;
        }
        return scored;
    }

    private QueryNode tree(int depth) {
        if (random.nextInt(6) == 0) {
            return anyWord();
        }
        if (depth == 0 || random.nextInt(3) == 0) {
            return leaf();
        }
        return switch (random.nextInt(4)) {
            case 0 -> new QueryNode.Or(List.of(tree(depth - 1), tree(depth - 1)));
            case 1 -> new QueryNode.Without(tree(depth - 1), List.of(tree(depth - 1)));
            default -> new QueryNode.And(List.of(tree(depth - 1), tree(depth - 1)));
        };
    }

    /** Returns a query for any of a few words, sometimes of several fields. */
    private QueryNode anyWord() {
        String field = random.nextBoolean() ? "body" : "title";
        List<QueryNode> words =
                IntStream.range(0, 2 + random.nextInt(4))
                        .<QueryNode>mapToObj(_ ->
                                new QueryNode.Term(
                                        random.nextInt(8) == 0 ? "notes" : field,
                                        queried(),
                                        TermSettings.DEFAULT))
                        .toList();
        return random.nextBoolean() ? new QueryNode.WeakAnd(words) : new QueryNode.Or(words);
    }

    private QueryNode leaf() {
        String field = List.of("body", "body", "title", "notes").get(random.nextInt(4));
        return switch (random.nextInt(8)) {
            case 0 -> {
                long low = random.nextInt(40);
                yield new QueryNode.Range(
                        "day",
                        new RangeEnd.Whole(low, true),
                        new RangeEnd.Whole(low + random.nextInt(20), random.nextBoolean()),
                        TermSettings.DEFAULT);
            }
            case 1, 2, 3 -> phrase(field);
            default -> new QueryNode.Term(field, queried(), TermSettings.DEFAULT);
        };
    }

    private QueryNode phrase(String field) {
        List<String> words =
                IntStream.range(0, 2 + random.nextInt(3)).mapToObj(_ -> queried()).toList();
        return new QueryNode.Phrase(field, words, TermSettings.DEFAULT);
    }

    private String queried() {
        return random.nextInt(40) == 0 ? "absent" : word();
    }
}
