package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.content.search.execution.Mails;
import org.crabro.content.storage.index.IndexSettings;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.Coverage;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.RankOverrides;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.RankedQuery;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SortKey;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.ranking.expression.ExpressionParser;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compares limits of matches in indexes with a plain model. */
class MatchPhaseTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int DOCUMENTS = 2_000;
    private static final DocumentType TYPE =
            new DocumentType(
                    "item",
                    List.of(
                            new Field("kind", FieldType.Primitive.INT, true),
                            new Field("brand", FieldType.Primitive.STRING, true),
                            new Field("year", FieldType.Primitive.INT, true),
                            new Field("time", FieldType.Primitive.LONG, true),
                            new Field("price", FieldType.Primitive.DOUBLE, true),
                            new Field("weight", FieldType.Primitive.FLOAT, true)));
    private static final List<String> ATTRIBUTES = List.of("year", "time", "price", "weight");
    private static final Coverage NO_COVERAGE = new Coverage(0, 0, false);
    private static final List<String> GROUPED = List.of("kind", "brand", "year", "price", "weight");

    private final Random random = new Random(SEED);
    private final IndexSettings settings = new IndexSettings(false, 50, 1 << 20, 1 << 20, 2);
    private final Map<DocumentId, Item> items =
            new TreeMap<>((one, other) -> one.toString().compareTo(other.toString()));
    private int limited;
    private int diverse;

    /**
     * A document.
     *
     * @param values by attribute; NaN counts as none
     * @param groups its values of other attributes
     */
    private record Item(
            int kind, Map<String, Double> values, Map<String, Object> groups, boolean isIndexed) {
        Item indexed() {
            return new Item(kind, values, groups, true);
        }
    }

    private static Schema schema() {
        return FastSearchSchema.of(
                TYPE,
                Set.of(Aspect.ATTRIBUTE),
                "year",
                Map.of("indexes", profile("indexes", "1"), "scans", profile("scans", "now")));
    }

    private static RankProfile profile(String name, String expression) {
        return new RankProfile(
                name, Map.of(), ExpressionParser.parse(expression), Map.of(), Map.of());
    }

    private NodeFixture node() throws IOException {
        return NodeFixture.open(NodeFixture.settings().withIndex(settings), new MemoryLogFiles())
                .serving(NodeFixture.model(Map.of("item", schema())));
    }

    private void put(NodeFixture node, int number) {
        DocumentId id = DocumentId.parse("id:a:item::" + number);
        var values = new HashMap<String, Double>();
        var fields = new HashMap<String, FieldValue>();
        int kind = random.nextInt(10);
        fields.put("kind", new FieldValue.IntValue(kind));
        if (random.nextInt(10) > 0) {
            int year = random.nextInt(-20, 20);
            fields.put("year", new FieldValue.IntValue(year));
            values.put("year", (double) year);
        }
        if (random.nextInt(10) > 0) {
            // Documents of a low kind are the youngest.
            long time = (long) (10 - kind) * 1_000 + random.nextInt(1_000);
            fields.put("time", new FieldValue.LongValue(time));
            values.put("time", (double) time);
        }
        if (random.nextInt(10) > 0) {
            double price =
                    switch (random.nextInt(10)) {
                        case 0 -> Double.NaN;
                        case 1 -> Double.NEGATIVE_INFINITY;
                        case 2 -> -0.0;
                        default -> random.nextGaussian();
                    };
            fields.put("price", new FieldValue.DoubleValue(price));
            values.put("price", price);
        }
        float weight = random.nextInt(5) == 0 ? Float.NaN : (float) random.nextGaussian();
        fields.put("weight", new FieldValue.FloatValue(weight));
        values.put("weight", (double) weight);
        var groups = new HashMap<String, Object>(values);
        groups.replaceAll((_, value) -> (double) value + 0.0);
        groups.put("kind", kind);
        if (random.nextInt(5) > 0) {
            String brand = "brand " + random.nextInt(30);
            fields.put("brand", new FieldValue.StringValue(brand));
            groups.put("brand", brand);
        }
        values.values().removeIf(value -> value.isNaN());
        assertThat(node.put(id, fields)).isInstanceOf(WriteReply.Stored.class);
        items.put(id, new Item(kind, values, groups, false));
    }

    private void remove(NodeFixture node, int number) {
        DocumentId id = DocumentId.parse("id:a:item::" + number);
        assertThat(node.remove(id)).isInstanceOf(WriteReply.Stored.class);
        items.remove(id);
    }

    private void index(NodeFixture node) throws IOException {
        node.flush();
        node.node().index(settings);
        items.replaceAll((_, item) -> item.indexed());
    }

    @Test
    void keepsTheMatchesWithTheBestValues() throws IOException {
        NodeFixture node = node();
        try {
            for (int i = 0; i < DOCUMENTS; i++) {
                put(node, i);
            }
            check(node, "in memory");
            assertThat(limited).isZero();
            index(node);
            check(node, "with indexes");
            for (int i = 0; i < 200; i++) {
                remove(node, random.nextInt(DOCUMENTS));
                put(node, random.nextInt(DOCUMENTS + 200));
            }
            check(node, "after changes in memory");
            index(node);
            check(node, "with indexes of two runs");
            assertThat(limited).as("seed %d", SEED).isGreaterThan(15);
            assertThat(diverse).as("seed %d", SEED).isGreaterThan(10);
        } finally {
            node.close();
        }
    }

    @Test
    void keepsAllMatchesWithoutAnAttributeOrALimit() throws IOException {
        NodeFixture node = node();
        try {
            for (int i = 0; i < DOCUMENTS; i++) {
                put(node, i);
            }
            index(node);
            for (Map<String, String> settings :
                    List.of(
                            Map.of("attribute", "year"),
                            Map.of("maxHits", "5"),
                            Map.of("attribute", "nowhere", "maxHits", "5"),
                            Map.of("attribute", "year", "maxHits", "0"),
                            Map.of(
                                    "attribute",
                                    "year",
                                    "maxHits",
                                    "5",
                                    "maxFilterCoverage",
                                    "0"))) {
                SearchReply.Found reply = search(node, 10, settings, true, 1);

                assertThat(reply.report().coverage())
                        .as("%s", settings)
                        .isEqualTo(new Coverage(DOCUMENTS, DOCUMENTS, false));
                assertThat(reply.totalCount()).isEqualTo(DOCUMENTS);
            }
        } finally {
            node.close();
        }
    }

    private void check(NodeFixture node, String what) {
        for (int i = 0; i < 60; i++) {
            int below = 1 + random.nextInt(10);
            String attribute = ATTRIBUTES.get(random.nextInt(ATTRIBUTES.size()));
            boolean ascending = random.nextBoolean();
            int maxHits = 1 + random.nextInt(random.nextBoolean() ? 40 : 1_000);
            double share = List.of(0.05, 0.2, 1.0).get(random.nextInt(3));
            var limit = new Limit(attribute, ascending, maxHits, share, diversity());
            SearchReply.Found reply =
                    search(
                            node,
                            below,
                            limit.properties(),
                            random.nextInt(3) > 0,
                            random.nextBoolean() ? 1 : 7);
            Expected expected = expected(below, limit);
            String description = "%s: kind < %d, %s, seed %d".formatted(what, below, limit, SEED);
            assertThat(reply.totalCount())
                    .as(description)
                    .isEqualTo(count(item -> expected.matches(item, below, limit)));
            assertThat(reply.report().coverage()).as(description).isEqualTo(expected.coverage());
            if (!reply.hits().isEmpty()) {
                assertThat(reply.hits().stream().map(SearchHit::id).collect(Collectors.toSet()))
                        .as(description)
                        .isEqualTo(
                                items.entrySet().stream()
                                        .filter(each ->
                                                expected.matches(each.getValue(), below, limit))
                                        .map(Map.Entry::getKey)
                                        .collect(Collectors.toSet()));
            }
            limited += expected.coverage().limited() ? 1 : 0;
            diverse += expected.coverage().limited() && limit.diversity() != null ? 1 : 0;
        }
    }

    private @Nullable Diversity diversity() {
        return random.nextInt(3) == 0
                ? null
                : new Diversity(
                        GROUPED.get(random.nextInt(GROUPED.size())),
                        1 + random.nextInt(random.nextBoolean() ? 5 : 50),
                        List.of(1.0, 1.5, 10.0).get(random.nextInt(3)),
                        random.nextBoolean());
    }

    /** How many matches may have the same value of an attribute. */
    private record Diversity(
            String attribute, int minGroups, double cutoffFactor, boolean isStrict) {
        Map<String, String> properties() {
            return Map.of(
                    "diversity.attribute",
                    attribute,
                    "diversity.minGroups",
                    String.valueOf(minGroups),
                    "diversity.cutoff.factor",
                    String.valueOf(cutoffFactor),
                    "diversity.cutoff.strategy",
                    isStrict ? "strict" : "loose");
        }
    }

    private record Limit(
            String attribute,
            boolean ascending,
            int maxHits,
            double maxFilterCoverage,
            @Nullable Diversity diversity) {
        Map<String, String> properties() {
            var properties =
                    new HashMap<String, String>(
                            diversity == null ? Map.of() : diversity.properties());
            properties.put("attribute", attribute);
            properties.put("ascending", String.valueOf(ascending));
            properties.put("maxHits", String.valueOf(maxHits));
            properties.put("maxFilterCoverage", String.valueOf(maxFilterCoverage));
            return properties;
        }

        /** Returns the value of an item, the higher the better; null if it has none. */
        @Nullable Double value(Item item) {
            Double value = item.values().get(attribute);
            return value == null ? null : ascending ? -value + 0.0 : value + 0.0;
        }
    }

    /**
     * @param least the least value of indexed matches; null if they are not limited
     * @param dropped matches with better values that are not diverse
     */
    private record Expected(@Nullable Double least, Set<Item> dropped, Coverage coverage) {
        boolean matches(Item item, int below, Limit limit) {
            return item.kind() < below && isKept(item, limit) && !dropped.contains(item);
        }

        boolean isKept(Item item, Limit limit) {
            Double value = limit.value(item);
            return least == null || !item.isIndexed() || (value != null && value >= least);
        }
    }

    private long count(Predicate<Item> condition) {
        return items.values().stream().filter(condition).count();
    }

    private Expected expected(int below, Limit limit) {
        var every = new Expected(null, Set.of(), new Coverage(items.size(), items.size(), false));
        long indexed = count(Item::isIndexed);
        long matches = 0;
        var byValue = new TreeMap<Double, List<Item>>(Collections.reverseOrder());
        for (Item item : items.values()) {
            if (item.isIndexed() && item.kind() < below) {
                matches++;
                Double value = limit.value(item);
                if (value != null) {
                    byValue.computeIfAbsent(value, _ -> new ArrayList<>()).add(item);
                }
            }
        }
        if (matches <= limit.maxHits() || limit.maxFilterCoverage() * matches < limit.maxHits()) {
            return every;
        }
        Expected some = some(byValue, limit);
        if (some.least() == null) {
            return every;
        }
        long retained = count(item -> item.isIndexed() && some.isKept(item, limit));
        long retainedMatches = count(item -> item.isIndexed() && some.matches(item, below, limit));
        return retained > limit.maxFilterCoverage() * indexed || retainedMatches == matches
                ? every
                : new Expected(
                        some.least(),
                        some.dropped(),
                        new Coverage(
                                items.size() - indexed + retained - some.dropped().size(),
                                items.size(),
                                false,
                                true));
    }

    /**
     * Returns the least value and what is dropped above it.
     *
     * @param byValue all matches, the best first
     */
    private static Expected some(Map<Double, List<Item>> byValue, Limit limit) {
        Diversity diversity = limit.diversity();
        Set<Item> dropped = Collections.newSetFromMap(new IdentityHashMap<>());
        var groups = new HashMap<Object, Integer>();
        Set<Object> late = new HashSet<>();
        int retained = 0;
        for (Map.Entry<Double, List<Item>> equal : byValue.entrySet()) {
            var now = new HashMap<>(groups);
            for (Item item : equal.getValue()) {
                if (diversity == null) {
                    retained++;
                    continue;
                }
                Object group = item.groups().getOrDefault(diversity.attribute(), "");
                if (!now.containsKey(group)
                        && groups.size()
                                >= (int) (diversity.cutoffFactor() * diversity.minGroups())) {
                    late.add(group);
                }
                boolean isKept =
                        late.contains(group)
                                ? !diversity.isStrict()
                                : groups.getOrDefault(group, 0)
                                        < Math.max(1, limit.maxHits() / diversity.minGroups());
                now.merge(group, isKept ? 1 : 0, Integer::sum);
                retained += isKept ? 1 : 0;
                if (!isKept) {
                    dropped.add(item);
                }
            }
            groups = now;
            if (retained >= limit.maxHits()) {
                return new Expected(equal.getKey(), dropped, NO_COVERAGE);
            }
        }
        // Too few are diverse, so all were looked at.
        Double least = dropped.isEmpty() ? null : Double.NEGATIVE_INFINITY;
        return new Expected(least, dropped, NO_COVERAGE);
    }

    /**
     * Returns the documents of the kinds below a number.
     *
     * @param shown whether hits are returned
     */
    private SearchReply.Found search(
            NodeFixture node, int below, Map<String, String> limit, boolean shown, int traceLevel) {
        var properties = new HashMap<String, String>();
        limit.forEach((name, value) -> properties.put(RankProfile.MATCH_PHASE + name, value));
        QueryNode tree =
                new QueryNode.Range(
                        "kind",
                        new RangeEnd.Unbounded(),
                        new RangeEnd.Whole(below, false),
                        TermSettings.DEFAULT);
        List<SortKey> sorting =
                random.nextBoolean() ? List.of() : List.of(new SortKey.Relevance(true));
        RankSettings ranking =
                new RankSettings(
                                random.nextBoolean() ? "indexes" : "scans",
                                Map.of(),
                                RankSettings.Statistics.NONE,
                                Mails.NOW)
                        .with(new RankOverrides(properties, Map.of(), false, Map.of()));
        return node.search(
                "item",
                new RankedQuery(tree, ranking),
                new HitSettings(shown ? DOCUMENTS * 2 : 0, sorting, SummarySettings.DEFAULT),
                traceLevel);
    }
}
