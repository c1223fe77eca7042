package org.crabro.content.search.rank;

import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.search.match.Layouts;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.TextReader;
import org.crabro.ranking.program.StringValue;

/**
 * A number of an attribute other than its single value: an element by its index or key, or the
 * number of elements.
 *
 * @param key the index or key of the element; empty for the attribute as a whole
 * @param output which number
 * @param isSingle whether the attribute is a single value and not a collection
 * @param undefined the value of an element without a value
 */
record AttributeElement(int field, String key, Output output, boolean isSingle, Undefined undefined)
        implements FeatureSource {
    enum Output {
        VALUE,
        WEIGHT,
        CONTAINS,
        COUNT
    }

    @Override
    public void read(BlockScan scan, int[] rows, int count, double[] into) {
        Column column = scan.column(field).orElse(null);
        var text = new TextReader();
        var wanted = new Wanted(key);
        for (int i = 0; i < count; i++) {
            into[i] =
                    column == null || isSingle ? ofSingle() : value(column, rows[i], text, wanted);
        }
    }

    /** A single value counts as one element, whether it was fed or not. */
    private double ofSingle() {
        return isSingle && output == Output.COUNT && key.isEmpty() ? 1 : 0;
    }

    /** The requested key, as a text and as a number. */
    private static final class Wanted {
        private final byte[] utf8;

        /** NaN if the key is no number. */
        private final double number;

        private final OptionalLong whole;

        Wanted(String key) {
            this.utf8 = key.getBytes(StandardCharsets.UTF_8);
            this.number = number(key);
            this.whole = whole(key);
        }

        private static double number(String text) {
            try {
                return Double.parseDouble(text);
            } catch (NumberFormatException _) {
                return Double.NaN;
            }
        }

        private static OptionalLong whole(String text) {
            try {
                return OptionalLong.of(Long.parseLong(text));
            } catch (NumberFormatException _) {
                return OptionalLong.empty();
            }
        }
    }

    private double value(Column column, int row, TextReader text, Wanted wanted) {
        double number = wanted.number;
        boolean isThere = column.presence().has(row);
        return switch (column) {
            case Column.Arrays arrays when isThere -> {
                int first = arrays.first(row);
                int size = arrays.first(row + 1) - first;
                if (key.isEmpty()) {
                    yield output == Output.COUNT ? size : 0;
                }
                boolean isIndex = number >= 0 && number < size && number == Math.rint(number);
                yield !isIndex || output == Output.WEIGHT
                        ? 0
                        : output == Output.VALUE
                                ? element(arrays.elements(), first + (int) number, text, undefined)
                                : 1;
            }
            case Column.WeightedSets sets when isThere -> {
                int first = sets.first(row);
                int end = sets.first(row + 1);
                if (key.isEmpty()) {
                    yield output == Output.COUNT ? end - first : 0;
                }
                yield ofKey(sets, first, end, text, wanted);
            }
            case Column.FixedWidth _, Column.Texts _, Column.Nested _ -> 0;
        };
    }

    private double ofKey(
            Column.WeightedSets sets, int first, int end, TextReader text, Wanted wanted) {
        for (int at = first; at < end; at++) {
            if (isKey(sets.elements(), at, text, wanted)) {
                return switch (output) {
                    case VALUE -> element(sets.elements(), at, text);
                    case WEIGHT -> sets.weights().values().get(Layouts.INT, (long) at << 2);
                    case CONTAINS, COUNT -> 1;
                };
            }
        }
        return 0;
    }

    private static boolean isKey(Column keys, int at, TextReader text, Wanted wanted) {
        if (keys instanceof Column.Texts texts) {
            text.read(texts, at);
            byte[] utf8 = wanted.utf8;
            if (text.length() != utf8.length) {
                return false;
            }
            for (int i = 0; i < utf8.length; i++) {
                if (text.bytes().get(ValueLayout.JAVA_BYTE, text.offset() + i) != utf8[i]) {
                    return false;
                }
            }
            return true;
        }
        // Doubles cannot represent all 64-bit integers.
        if (wanted.whole.isPresent()
                && keys instanceof Column.Numbers numbers
                && numbers.kind() == Column.NumberKind.LONG) {
            return whole(numbers, at) == wanted.whole.getAsLong();
        }
        return element(keys, at, text) == wanted.number;
    }

    /** Returns an element as a number; a string as its hash; or what is used if it has no value. */
    static double element(Column elements, int at, TextReader text, Undefined undefined) {
        return elements.presence().has(at) ? element(elements, at, text) : undefined.number();
    }

    /** Returns an element as a number; a string as its hash. */
    static double element(Column elements, int at, TextReader text) {
        return switch (elements) {
            case Column.Numbers numbers -> number(numbers, at);
            case Column.Booleans booleans -> booleans.values().get(ValueLayout.JAVA_BYTE, at);
            case Column.Texts texts -> {
                text.read(texts, at);
                yield StringValue.of(
                        text.bytes()
                                .asSlice(text.offset(), text.length())
                                .toArray(ValueLayout.JAVA_BYTE));
            }
            case Column.Nested _, Column.DenseTensors _ -> 0;
        };
    }

    /** Returns an element of a column of longs. */
    static long whole(Column.Numbers longs, int at) {
        return longs.values().get(Layouts.LONG, (long) at << 3);
    }

    static double number(Column.Numbers numbers, int at) {
        return switch (numbers.kind()) {
            case INT -> numbers.values().get(Layouts.INT, (long) at << 2);
            case LONG -> (double) whole(numbers, at);
            case FLOAT -> numbers.values().get(Layouts.FLOAT, (long) at << 2);
            case DOUBLE -> numbers.values().get(Layouts.DOUBLE, (long) at << 3);
        };
    }
}
