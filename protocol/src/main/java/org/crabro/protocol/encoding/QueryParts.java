package org.crabro.protocol.encoding;

import java.util.List;
import java.util.OptionalDouble;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.TermSettings;

/** The encoding of query trees: a tag for each node, parents before children. */
final class QueryParts {
    private static final int ALL = 0;
    private static final int NONE = 1;
    private static final int AND = 2;
    private static final int OR = 3;
    private static final int WEAK_AND = 4;
    private static final int WITHOUT = 5;
    private static final int RANK = 6;
    private static final int TERM = 7;
    private static final int PHRASE = 8;
    private static final int RANGE = 9;
    private static final int BOOLEAN_EQUALS = 10;
    private static final int NEAREST_NEIGHBOR = 11;
    private static final int REGEX = 12;
    private static final int FUZZY = 13;
    private static final int NEAR = 14;
    private static final int EQUIV = 15;
    private static final int SAME_ELEMENT = 16;
    private static final int ANY_OF = 17;
    private static final int GEO_CIRCLE = 18;
    private static final int GEO_BOX = 19;
    private static final int PREDICATE = 20;
    private static final int EXPLORING_NEIGHBOR = 21;

    private static final int KIND_IN = 0;
    private static final int KIND_WEIGHTED_SET = 1;
    private static final int KIND_DOT_PRODUCT = 2;

    private static final int UNBOUNDED = 0;
    private static final int WHOLE = 1;
    private static final int REAL = 2;

    private QueryParts() {}

    /**
     * @throws IllegalArgumentException if the tree is deeper than readers accept
     */
    static void write(MessageWriter out, QueryNode node) {
        write(out, node, 1);
    }

    private static void write(MessageWriter out, QueryNode node, int depth) {
        if (depth > MessageEncoding.DEPTH_MAX) {
            throw new IllegalArgumentException(
                    "a query is nested deeper than " + MessageEncoding.DEPTH_MAX);
        }
        switch (node) {
            case QueryNode.All() -> out.putByte(ALL);
            case QueryNode.None() -> out.putByte(NONE);
            case QueryNode.And(var children) -> write(out, AND, children, depth);
            case QueryNode.Or(var children) -> write(out, OR, children, depth);
            case QueryNode.WeakAnd(var children) -> write(out, WEAK_AND, children, depth);
            case QueryNode.Without(var include, var exclude) -> {
                write(out, WITHOUT, exclude, depth);
                write(out, include, depth + 1);
            }
            case QueryNode.Rank(var required, var others) -> {
                write(out, RANK, others, depth);
                write(out, required, depth + 1);
            }
            case QueryNode.Term(var field, var text, var settings) -> {
                leaf(out, TERM, field, settings);
                out.putText(text);
            }
            case QueryNode.Phrase(var field, var words, var settings) -> {
                leaf(out, PHRASE, field, settings);
                out.putList(words, out::putText);
            }
            case QueryNode.Range(var field, var low, var high, var settings) -> {
                leaf(out, RANGE, field, settings);
                write(out, low);
                write(out, high);
            }
            case QueryNode.BooleanEquals(var field, var value, var settings) -> {
                leaf(out, BOOLEAN_EQUALS, field, settings);
                out.putBoolean(value);
            }
            case QueryNode.NearestNeighbor nearest -> write(out, nearest);
            case QueryNode.Regex(var field, var expression, var settings) -> {
                leaf(out, REGEX, field, settings);
                out.putText(expression);
            }
            case QueryNode.Fuzzy fuzzy -> {
                leaf(out, FUZZY, fuzzy.field(), fuzzy.settings());
                out.putText(fuzzy.text());
                out.putInt(fuzzy.maxEdits());
                out.putInt(fuzzy.prefixLength());
                out.putBoolean(fuzzy.prefix());
            }
            case QueryNode.Near near -> {
                write(out, NEAR, near.near(), depth);
                out.putList(near.exclude(), child -> write(out, child, depth + 1));
                out.putText(near.field());
                out.putInt(near.distance());
                out.putInt(near.exclusionDistance());
                out.putBoolean(near.ordered());
            }
            case QueryNode.Equiv(var alternatives) -> write(out, EQUIV, alternatives, depth);
            case QueryNode.SameElement(var field, var conditions, var elements) -> {
                write(out, SAME_ELEMENT, conditions, depth);
                out.putText(field);
                out.putList(elements, out::putInt);
            }
            case QueryNode.AnyOf any -> write(out, any);
            case QueryNode.GeoCircle(var field, var lat, var lon, var radius, var settings) -> {
                leaf(out, GEO_CIRCLE, field, settings);
                out.putDouble(lat);
                out.putDouble(lon);
                out.putDouble(radius);
            }
            case QueryNode.GeoBox box -> {
                leaf(out, GEO_BOX, box.field(), box.settings());
                out.putDouble(box.south());
                out.putDouble(box.west());
                out.putDouble(box.north());
                out.putDouble(box.east());
            }
            case QueryNode.Predicate(var field, var values, var numbers, var settings) -> {
                leaf(out, PREDICATE, field, settings);
                out.putList(
                        values,
                        each -> {
                            out.putText(each.name());
                            out.putText(each.value());
                        });
                out.putList(
                        numbers,
                        each -> {
                            out.putText(each.name());
                            out.putLong(each.number());
                        });
            }
        }
    }

    private static void write(MessageWriter out, QueryNode.AnyOf any) {
        leaf(out, ANY_OF, any.field(), any.settings());
        out.putByte(
                switch (any.kind()) {
                    case IN -> KIND_IN;
                    case WEIGHTED_SET -> KIND_WEIGHTED_SET;
                    case DOT_PRODUCT -> KIND_DOT_PRODUCT;
                });
        out.putDouble(any.threshold());
        out.putList(
                any.keys(),
                key -> {
                    out.putText(key.key());
                    out.putInt(key.weight());
                });
    }

    private static QueryNode.AnyOf anyOf(MessageReader in) {
        Leaf leaf = leaf(in);
        int tag = in.readByte();
        QueryNode.AnyOf.Kind kind =
                switch (tag) {
                    case KIND_IN -> QueryNode.AnyOf.Kind.IN;
                    case KIND_WEIGHTED_SET -> QueryNode.AnyOf.Kind.WEIGHTED_SET;
                    case KIND_DOT_PRODUCT -> QueryNode.AnyOf.Kind.DOT_PRODUCT;
                    default -> throw in.unknown("the tag of a set of keys", tag);
                };
        double threshold = in.readDouble();
        List<QueryNode.WeightedKey> keys =
                in.readList(() -> new QueryNode.WeightedKey(in.readText(), in.readInt()));
        return new QueryNode.AnyOf(leaf.field, kind, keys, threshold, leaf.settings);
    }

    private static QueryNode.Near near(MessageReader in) {
        List<QueryNode> near = children(in);
        List<QueryNode> exclude = children(in);
        return new QueryNode.Near(
                in.readText(), near, exclude, in.readInt(), in.readInt(), in.readBoolean());
    }

    private static QueryNode.Predicate predicate(MessageReader in) {
        Leaf leaf = leaf(in);
        return new QueryNode.Predicate(
                leaf.field,
                in.readList(() -> new QueryNode.AttributeValue(in.readText(), in.readText())),
                in.readList(() -> new QueryNode.AttributeNumber(in.readText(), in.readLong())),
                leaf.settings);
    }

    private static QueryNode.GeoBox box(MessageReader in) {
        Leaf leaf = leaf(in);
        return new QueryNode.GeoBox(
                leaf.field,
                in.readDouble(),
                in.readDouble(),
                in.readDouble(),
                in.readDouble(),
                leaf.settings);
    }

    private static void write(MessageWriter out, int tag, List<QueryNode> children, int depth) {
        out.putByte(tag);
        out.putList(children, child -> write(out, child, depth + 1));
    }

    private static void leaf(MessageWriter out, int tag, String field, TermSettings settings) {
        out.putByte(tag);
        out.putText(field);
        TermParts.write(out, settings);
    }

    private static void write(MessageWriter out, QueryNode.NearestNeighbor nearest) {
        boolean isUsual = nearest.exploration().equals(QueryNode.Exploration.DEFAULT);
        leaf(
                out,
                isUsual ? NEAREST_NEIGHBOR : EXPLORING_NEIGHBOR,
                nearest.field(),
                nearest.settings());
        out.putText(nearest.input());
        out.putInt(nearest.targetHits());
        out.putBoolean(nearest.distanceThreshold().isPresent());
        nearest.distanceThreshold().ifPresent(out::putDouble);
        if (!isUsual) {
            out.putBoolean(nearest.exploration().approximate());
            out.putInt(nearest.exploration().additionalHits());
        }
    }

    private static void write(MessageWriter out, RangeEnd end) {
        switch (end) {
            case RangeEnd.Unbounded() -> out.putByte(UNBOUNDED);
            case RangeEnd.Whole(var value, var included) -> {
                out.putByte(WHOLE);
                out.putLong(value);
                out.putBoolean(included);
            }
            case RangeEnd.Real(var value, var included) -> {
                out.putByte(REAL);
                out.putDouble(value);
                out.putBoolean(included);
            }
        }
    }

    static QueryNode read(MessageReader in) {
        return in.readNested(() -> readNode(in));
    }

    private static QueryNode readNode(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case ALL -> new QueryNode.All();
            case NONE -> new QueryNode.None();
            case AND -> new QueryNode.And(children(in));
            case OR -> new QueryNode.Or(children(in));
            case WEAK_AND -> new QueryNode.WeakAnd(children(in));
            case WITHOUT -> {
                List<QueryNode> exclude = children(in);
                yield new QueryNode.Without(read(in), exclude);
            }
            case RANK -> {
                List<QueryNode> others = children(in);
                yield new QueryNode.Rank(read(in), others);
            }
            case TERM -> {
                Leaf leaf = leaf(in);
                yield new QueryNode.Term(leaf.field, in.readText(), leaf.settings);
            }
            case PHRASE -> {
                Leaf leaf = leaf(in);
                yield new QueryNode.Phrase(leaf.field, in.readList(in::readText), leaf.settings);
            }
            case RANGE -> {
                Leaf leaf = leaf(in);
                yield new QueryNode.Range(leaf.field, end(in), end(in), leaf.settings);
            }
            case BOOLEAN_EQUALS -> {
                Leaf leaf = leaf(in);
                yield new QueryNode.BooleanEquals(leaf.field, in.readBoolean(), leaf.settings);
            }
            case NEAREST_NEIGHBOR -> {
                Leaf leaf = leaf(in);
                yield new QueryNode.NearestNeighbor(
                        leaf.field, in.readText(), in.readInt(), threshold(in), leaf.settings);
            }
            case EXPLORING_NEIGHBOR -> {
                Leaf leaf = leaf(in);
                yield new QueryNode.NearestNeighbor(
                        leaf.field,
                        in.readText(),
                        in.readInt(),
                        threshold(in),
                        new QueryNode.Exploration(in.readBoolean(), in.readInt()),
                        leaf.settings);
            }
            case REGEX -> {
                Leaf leaf = leaf(in);
                yield new QueryNode.Regex(leaf.field, in.readText(), leaf.settings);
            }
            case FUZZY -> {
                Leaf leaf = leaf(in);
                yield new QueryNode.Fuzzy(
                        leaf.field,
                        in.readText(),
                        in.readInt(),
                        in.readInt(),
                        in.readBoolean(),
                        leaf.settings);
            }
            case NEAR -> near(in);
            case EQUIV -> new QueryNode.Equiv(children(in));
            case SAME_ELEMENT -> {
                List<QueryNode> conditions = children(in);
                yield new QueryNode.SameElement(
                        in.readText(), conditions, in.readList(in::readInt));
            }
            case ANY_OF -> anyOf(in);
            case GEO_CIRCLE -> {
                Leaf leaf = leaf(in);
                yield new QueryNode.GeoCircle(
                        leaf.field,
                        in.readDouble(),
                        in.readDouble(),
                        in.readDouble(),
                        leaf.settings);
            }
            case GEO_BOX -> box(in);
            case PREDICATE -> predicate(in);
            default -> throw in.unknown("the tag of a query node", tag);
        };
    }

    private record Leaf(String field, TermSettings settings) {}

    private static Leaf leaf(MessageReader in) {
        return new Leaf(in.readText(), TermParts.read(in));
    }

    private static List<QueryNode> children(MessageReader in) {
        return in.readList(() -> read(in));
    }

    private static OptionalDouble threshold(MessageReader in) {
        return in.readBoolean() ? OptionalDouble.of(in.readDouble()) : OptionalDouble.empty();
    }

    private static RangeEnd end(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case UNBOUNDED -> new RangeEnd.Unbounded();
            case WHOLE -> new RangeEnd.Whole(in.readLong(), in.readBoolean());
            case REAL -> new RangeEnd.Real(in.readDouble(), in.readBoolean());
            default -> throw in.unknown("the tag of the end of a range", tag);
        };
    }
}
