package org.crabro.content.search.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.query.TermSettings.Affix;

/** Query trees of every kind of node over {@link Mails}, from one seed. */
public final class RandomQueries {
    private final Random random;

    public RandomQueries(long seed) {
        this.random = new Random(seed);
    }

    public QueryNode tree(int depth) {
        int kind = random.nextInt(depth == 0 ? 6 : 12);
        return switch (kind) {
            case 0, 1, 2 -> term();
            case 3 -> phrase();
            case 4 -> range();
            case 5 -> other();
            case 6, 7 -> new QueryNode.And(trees(depth - 1));
            case 8 -> new QueryNode.Or(trees(depth - 1));
            case 9 -> new QueryNode.WeakAnd(trees(depth - 1));
            case 10 -> new QueryNode.Without(tree(depth - 1), trees(depth - 1));
            default -> new QueryNode.Rank(tree(depth - 1), trees(depth - 1));
        };
    }

    private List<QueryNode> trees(int depth) {
        var trees = new ArrayList<QueryNode>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            trees.add(tree(depth));
        }
        return trees;
    }

    private QueryNode term() {
        String field =
                pick("title", "body", "tags", "lang", "code", "labels", "stem", "default", "mixed");
        String text = random.nextInt(4) == 0 ? word() + "-" + word() : word();
        return new QueryNode.Term(field, text, settings());
    }

    private QueryNode phrase() {
        var words = new ArrayList<String>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            words.add(word());
        }
        return new QueryNode.Phrase(
                pick("title", "body", "tags", "default", "lang"), words, TermSettings.DEFAULT);
    }

    private QueryNode range() {
        RangeEnd low = end();
        RangeEnd high = random.nextInt(4) == 0 ? low : end();
        return new QueryNode.Range(
                pick("size", "price", "weight", "read", "mixed"), low, high, TermSettings.DEFAULT);
    }

    private RangeEnd end() {
        return switch (random.nextInt(5)) {
            case 0 -> new RangeEnd.Unbounded();
            case 1 -> new RangeEnd.Whole(random.nextInt(-3, 4), random.nextBoolean());
            case 2 ->
                    new RangeEnd.Real(
                            random.nextBoolean()
                                    ? Double.POSITIVE_INFINITY
                                    : Double.NEGATIVE_INFINITY,
                            random.nextBoolean());
            default -> new RangeEnd.Real(random.nextInt(-30, 31) / 10.0, random.nextBoolean());
        };
    }

    private QueryNode other() {
        return switch (random.nextInt(6)) {
            case 0 -> new QueryNode.All();
            case 1 -> new QueryNode.None();
            case 2 ->
                    new QueryNode.BooleanEquals("read", random.nextBoolean(), TermSettings.DEFAULT);
            case 3 ->
                    new QueryNode.Term(
                            pick("size", "price", "read"),
                            pick("1", "-2", "true", "0", "x"),
                            TermSettings.DEFAULT);
            case 4 ->
                    new QueryNode.NearestNeighbor(
                            "bits",
                            "b",
                            1 + random.nextInt(20),
                            OptionalDouble.empty(),
                            TermSettings.DEFAULT);
            default ->
                    new QueryNode.NearestNeighbor(
                            "vector",
                            "q",
                            1 + random.nextInt(40),
                            random.nextBoolean()
                                    ? OptionalDouble.empty()
                                    : OptionalDouble.of(random.nextInt(1, 5)),
                            TermSettings.DEFAULT.labeled("near"));
        };
    }

    private TermSettings settings() {
        Affix affix =
                switch (random.nextInt(8)) {
                    case 0 -> Affix.PREFIX;
                    case 1 -> Affix.SUFFIX;
                    default -> Affix.FIELD;
                };
        return new TermSettings(100, random.nextInt(6) > 0, affix);
    }

    public String word() {
        return Archive.WORDS.get(random.nextInt(Archive.WORDS.size()));
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    int number(int bound) {
        return random.nextInt(bound);
    }
}
