package org.crabro.protocol.encoding;

import java.util.LinkedHashMap;
import java.util.Map;
import org.crabro.protocol.grouping.AggregateValue;
import org.crabro.protocol.grouping.ExactSum;
import org.crabro.protocol.grouping.Group;
import org.crabro.protocol.grouping.GroupHits;
import org.crabro.protocol.grouping.GroupId;
import org.crabro.protocol.grouping.GroupList;
import org.crabro.protocol.grouping.GroupValue;
import org.crabro.protocol.grouping.QuantileSketch;
import org.crabro.protocol.search.SearchHit;

/** The encoding of groups in the reply to a search. */
final class GroupParts {
    private static final int ROOT = 0;
    private static final int MISSING = 1;
    private static final int VALUE = 2;
    private static final int RANGE = 3;

    private static final int WHOLE = 0;
    private static final int REAL = 1;
    private static final int TEXT = 2;
    private static final int TRUTH = 3;
    private static final int RAW = 4;
    private static final int QUANTILES = 5;

    private static final int COUNT = 0;
    private static final int WHOLE_SUM = 1;
    private static final int REAL_SUM = 2;
    private static final int WHOLE_AVERAGE = 3;
    private static final int REAL_AVERAGE = 4;
    private static final int LEAST = 5;
    private static final int GREATEST = 6;
    private static final int BITS = 7;
    private static final int DEVIATION = 8;
    private static final int SPREAD = 9;

    private GroupParts() {}

    static void write(MessageWriter out, Group<SearchHit> group) {
        write(out, group.id());
        out.putDouble(group.relevance());
        out.putList(group.aggregates(), value -> write(out, value));
        out.putList(
                group.lists(),
                list -> {
                    out.putList(list.groups(), each -> write(out, each));
                    out.putInt(list.first());
                    out.putLong(list.size());
                });
        out.putList(
                group.hits(),
                hits -> {
                    out.putList(hits.hits(), hit -> SearchReplyParts.write(out, hit));
                    out.putInt(hits.first());
                    out.putLong(hits.size());
                });
    }

    static Group<SearchHit> readGroup(MessageReader in) {
        return in.readNested(() ->
                new Group<>(
                        readId(in),
                        in.readDouble(),
                        in.readList(() -> readAggregate(in)),
                        in.readList(() ->
                                new GroupList<>(
                                        in.readList(() -> readGroup(in)),
                                        in.readInt(),
                                        in.readLong())),
                        in.readList(() ->
                                new GroupHits<>(
                                        in.readList(() -> SearchReplyParts.readHit(in)),
                                        in.readInt(),
                                        in.readLong()))));
    }

    private static void write(MessageWriter out, GroupId id) {
        switch (id) {
            case GroupId.Root() -> out.putByte(ROOT);
            case GroupId.Missing() -> out.putByte(MISSING);
            case GroupId.Value(var value) -> {
                out.putByte(VALUE);
                write(out, value);
            }
            case GroupId.Range(var kind, var from, var to) -> {
                out.putByte(RANGE);
                out.putText(kind.name());
                out.putOptional(from, end -> write(out, end));
                out.putOptional(to, end -> write(out, end));
            }
        }
    }

    private static GroupId readId(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case ROOT -> new GroupId.Root();
            case MISSING -> new GroupId.Missing();
            case VALUE -> new GroupId.Value(readValue(in));
            case RANGE ->
                    new GroupId.Range(
                            in.readChecked(
                                    "the type of a range",
                                    () -> GroupId.Kind.valueOf(in.readText())),
                            in.readOptional(() -> readValue(in)),
                            in.readOptional(() -> readValue(in)));
            default -> throw in.unknown("the tag of a group", tag);
        };
    }

    static void write(MessageWriter out, GroupValue value) {
        switch (value) {
            case GroupValue.Whole(long number) -> {
                out.putByte(WHOLE);
                out.putLong(number);
            }
            case GroupValue.Real(double number) -> {
                out.putByte(REAL);
                out.putDouble(number);
            }
            case GroupValue.Text(var text) -> {
                out.putByte(TEXT);
                out.putText(text);
            }
            case GroupValue.Truth(boolean truth) -> {
                out.putByte(TRUTH);
                out.putBoolean(truth);
            }
            case GroupValue.Raw(var bytes) -> {
                out.putByte(RAW);
                out.putText(bytes);
            }
            case GroupValue.Quantiles(var quantiles) -> {
                out.putByte(QUANTILES);
                out.putList(
                        quantiles,
                        quantile -> {
                            out.putDouble(quantile.level());
                            out.putDouble(quantile.value());
                        });
            }
        }
    }

    static GroupValue readValue(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case WHOLE -> new GroupValue.Whole(in.readLong());
            case REAL -> new GroupValue.Real(in.readDouble());
            case TEXT -> new GroupValue.Text(in.readText());
            case TRUTH -> new GroupValue.Truth(in.readBoolean());
            case RAW -> new GroupValue.Raw(in.readText());
            case QUANTILES ->
                    new GroupValue.Quantiles(
                            in.readList(() ->
                                    new GroupValue.Quantile(in.readDouble(), in.readDouble())));
            default -> throw in.unknown("the tag of a value", tag);
        };
    }

    private static void write(MessageWriter out, ExactSum sum) {
        out.putList(sum.parts(), out::putDouble);
    }

    private static ExactSum readSum(MessageReader in) {
        return in.readChecked("a sum", () -> new ExactSum(in.readList(in::readDouble)));
    }

    private static void write(MessageWriter out, AggregateValue aggregate) {
        switch (aggregate) {
            case AggregateValue.Count(long count) -> {
                out.putByte(COUNT);
                out.putLong(count);
            }
            case AggregateValue.WholeSum(long sum) -> {
                out.putByte(WHOLE_SUM);
                out.putLong(sum);
            }
            case AggregateValue.RealSum(var sum) -> {
                out.putByte(REAL_SUM);
                write(out, sum);
            }
            case AggregateValue.WholeAverage(long sum, long count) -> {
                out.putByte(WHOLE_AVERAGE);
                out.putLong(sum);
                out.putLong(count);
            }
            case AggregateValue.RealAverage(var sum, long count) -> {
                out.putByte(REAL_AVERAGE);
                write(out, sum);
                out.putLong(count);
            }
            case AggregateValue.Least(var value, var empty) -> {
                out.putByte(LEAST);
                out.putOptional(value, each -> write(out, each));
                write(out, empty);
            }
            case AggregateValue.Greatest(var value, var empty) -> {
                out.putByte(GREATEST);
                out.putOptional(value, each -> write(out, each));
                write(out, empty);
            }
            case AggregateValue.Bits(long bits) -> {
                out.putByte(BITS);
                out.putLong(bits);
            }
            case AggregateValue.Deviation(long count, var sum, var squares) -> {
                out.putByte(DEVIATION);
                out.putLong(count);
                write(out, sum);
                write(out, squares);
            }
            case AggregateValue.Spread(var levels, var sketch) -> {
                out.putByte(SPREAD);
                out.putList(levels, out::putDouble);
                write(out, sketch);
            }
        }
    }

    private static AggregateValue readAggregate(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case COUNT -> new AggregateValue.Count(in.readLong());
            case WHOLE_SUM -> new AggregateValue.WholeSum(in.readLong());
            case REAL_SUM -> new AggregateValue.RealSum(readSum(in));
            case WHOLE_AVERAGE -> new AggregateValue.WholeAverage(in.readLong(), in.readLong());
            case REAL_AVERAGE -> new AggregateValue.RealAverage(readSum(in), in.readLong());
            case LEAST ->
                    new AggregateValue.Least(in.readOptional(() -> readValue(in)), readValue(in));
            case GREATEST ->
                    new AggregateValue.Greatest(
                            in.readOptional(() -> readValue(in)), readValue(in));
            case BITS -> new AggregateValue.Bits(in.readLong());
            case DEVIATION -> new AggregateValue.Deviation(in.readLong(), readSum(in), readSum(in));
            case SPREAD -> new AggregateValue.Spread(in.readList(in::readDouble), readSketch(in));
            default -> throw in.unknown("the tag of an aggregate", tag);
        };
    }

    /** Writes the numbers and the counts by range; one of them is empty. */
    private static void write(MessageWriter out, QuantileSketch sketch) {
        double[] numbers = sketch.numbers();
        out.putInt(numbers.length);
        for (double number : numbers) {
            out.putDouble(number);
        }
        Map<Long, Long> counts = sketch.counts();
        out.putList(
                counts.entrySet(),
                entry -> {
                    out.putLong(entry.getKey());
                    out.putLong(entry.getValue());
                });
        if (!counts.isEmpty()) {
            out.putDouble(sketch.least());
            out.putDouble(sketch.most());
        }
    }

    private static QuantileSketch readSketch(MessageReader in) {
        int count = in.readCount();
        int start = in.offset();
        var numbers = new double[Math.min(count, QuantileSketch.EXACT_MAX)];
        if (count > numbers.length) {
            throw new WireFormatException(
                    start, "at most " + numbers.length + " numbers", Integer.toString(count));
        }
        for (int i = 0; i < count; i++) {
            numbers[i] = in.readDouble();
        }
        Map<Long, Long> counts = new LinkedHashMap<>();
        in.readList(() -> {
            long range = in.readLong();
            counts.put(range, in.readLong());
            return range;
        });
        return counts.isEmpty()
                ? QuantileSketch.of(numbers)
                : QuantileSketch.of(counts, in.readDouble(), in.readDouble());
    }
}
