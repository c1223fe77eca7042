package org.crabro.content.search.match;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.crabro.content.search.match.text.TextKeys;
import org.crabro.content.storage.block.column.Column;
import org.crabro.protocol.query.QueryNode.WeightedKey;

/** A lookup table of numbers with weights: in rising order, each number once. Immutable. */
final class NumberKeys {
    /**
     * The result for a number that is not a key. It is no valid weight, since weights have 32 bits.
     */
    static final long NONE = TextKeys.NONE;

    private final long[] wholes;
    private final int[] wholeWeights;
    private final double[] reals;
    private final float[] floats;
    private final int[] realWeights;

    private final List<NumberRange> ranges;

    private NumberKeys(List<Entry> wholes, List<Entry> reals) {
        this.ranges = reals.stream().map(Entry::range).toList();
        this.wholes = wholes.stream().mapToLong(entry -> entry.range().lowWhole()).toArray();
        this.wholeWeights = wholes.stream().mapToInt(Entry::weight).toArray();
        this.reals = reals.stream().mapToDouble(entry -> entry.range().lowDouble()).toArray();
        this.floats = new float[this.reals.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = reals.get(i).range().lowFloat();
        }
        this.realWeights = reals.stream().mapToInt(Entry::weight).toArray();
    }

    private record Entry(NumberRange range, int weight) {}

    /** Returns the numeric ones of {@code keys}. */
    static NumberKeys of(List<WeightedKey> keys) {
        var entries = new ArrayList<Entry>();
        for (WeightedKey key : keys) {
            NumberRangeParser.parse(key.key())
                    .ifPresent(range -> entries.add(new Entry(range, key.weight())));
        }
        return new NumberKeys(
                entries.stream()
                        .filter(entry -> entry.range().lowWhole() == entry.range().highWhole())
                        .sorted(Comparator.comparingLong(entry -> entry.range().lowWhole()))
                        .toList(),
                entries.stream()
                        .sorted(Comparator.comparingDouble(entry -> entry.range().lowDouble()))
                        .toList());
    }

    /** Returns ranges that include all numbers that are keys. */
    List<NumberRange> ranges() {
        return ranges;
    }

    /** Returns the weight of the number at {@code index}, or {@link #NONE}. */
    long weightOf(Column column, int index) {
        return switch (column) {
            case Column.Numbers numbers when numbers.presence().has(index) ->
                    switch (numbers.kind()) {
                        case INT -> whole(numbers.values().get(Layouts.INT, (long) index << 2));
                        case LONG -> whole(numbers.values().get(Layouts.LONG, (long) index << 3));
                        case FLOAT -> {
                            float value = numbers.values().get(Layouts.FLOAT, (long) index << 2);
                            yield weight(Arrays.binarySearch(floats, value));
                        }
                        case DOUBLE -> {
                            double value = numbers.values().get(Layouts.DOUBLE, (long) index << 3);
                            yield weight(Arrays.binarySearch(reals, value));
                        }
                    };
            case Column.Booleans booleans when booleans.presence().has(index) ->
                    whole(booleans.values().get(ValueLayout.JAVA_BYTE, index));
            case Column.FixedWidth _, Column.Texts _, Column.Nested _ -> NONE;
        };
    }

    private long whole(long value) {
        int index = Arrays.binarySearch(wholes, value);
        return index < 0 ? NONE : wholeWeights[index];
    }

    private long weight(int index) {
        return index < 0 ? NONE : realWeights[index];
    }
}
