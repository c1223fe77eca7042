package org.crabro.content.search.match;

import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import org.crabro.content.search.match.text.TextMatcher;
import org.crabro.content.search.match.text.TextPredicate;
import org.crabro.content.storage.block.column.Column;
import org.crabro.document.Field;
import org.crabro.document.FieldType;

/**
 * A compiled condition on one value of a column. It is used if neither a dictionary nor a column of
 * plain values can answer the condition for many rows at once. Immutable and shared by threads;
 * state is in the {@link TextMatcher}s of the {@link BlockScan}.
 */
sealed interface ValuePredicate {
    /**
     * Returns whether the value at {@code index} matches; a missing value does not match.
     *
     * @param column of the type for which the condition was compiled
     * @param index of a row, or of an element if the column contains elements
     */
    boolean test(BlockScan scan, Column column, int index);

    /** The number is in a range. */
    record InRange(NumberRange range) implements ValuePredicate {
        @Override
        public boolean test(BlockScan scan, Column column, int index) {
            return switch (column) {
                case Column.Numbers numbers ->
                        numbers.presence().has(index) && holds(numbers, index);
                case Column.Booleans booleans ->
                        booleans.presence().has(index)
                                && range.holds(booleans.values().get(ValueLayout.JAVA_BYTE, index));
                case Column.Texts _, Column.Nested _, Column.DenseTensors _ -> false;
            };
        }

        private boolean holds(Column.Numbers column, int index) {
            return switch (column.kind()) {
                case INT -> range.holds(column.values().get(Layouts.INT, (long) index << 2));
                case LONG -> range.holds(column.values().get(Layouts.LONG, (long) index << 3));
                case FLOAT -> {
                    float value = column.values().get(Layouts.FLOAT, (long) index << 2);
                    yield value >= range.lowFloat() && value <= range.highFloat();
                }
                case DOUBLE -> {
                    double value = column.values().get(Layouts.DOUBLE, (long) index << 3);
                    yield value >= range.lowDouble() && value <= range.highDouble();
                }
            };
        }
    }

    /**
     * The text fulfils a {@link TextPredicate}.
     *
     * @param textPredicate by {@link BlockScan#textMatcher}
     */
    record Text(int textPredicate) implements ValuePredicate {
        @Override
        public boolean test(BlockScan scan, Column column, int index) {
            return column instanceof Column.Texts texts
                    && texts.presence().has(index)
                    && scan.textMatcher(textPredicate).test(texts, index);
        }
    }

    /**
     * The texts of a collection, taken together, have words near each other.
     *
     * @param part the part of an entry that contains the texts
     * @param members the path from there to the texts, as indices of struct members
     * @param textPredicate by {@link BlockScan#textMatcher}
     * @param gap the number of words added to the distance between words of consecutive elements
     */
    record NearElements(OfElement.Part part, List<Integer> members, int textPredicate, int gap)
            implements ValuePredicate {
        public NearElements {
            members = List.copyOf(members);
        }

        @Override
        public boolean test(BlockScan scan, Column column, int index) {
            int first = AnyElement.first(column, index);
            int end = AnyElement.end(column, index);
            return first < end
                    && texts(column) instanceof Column.Texts texts
                    && scan.textMatcher(textPredicate).testTogether(texts, first, end, gap);
        }

        /** Returns the column of the searched texts of the elements. */
        private Column texts(Column column) {
            Column part = this.part.of(column);
            for (int i = 0; i < members.size(); i++) {
                if (!(part instanceof Column.Structs structs)) {
                    return part;
                }
                Optional<Column> member = structs.fields().get(members.get(i));
                if (member.isEmpty()) {
                    return column;
                }
                part = member.get();
            }
            return part;
        }
    }

    /** The location is in an area. */
    record Place(GeoArea area) implements ValuePredicate {
        private static final int LATITUDE = index("lat");
        private static final int LONGITUDE = index("lng");

        private static int index(String name) {
            List<Field> fields = FieldType.StructOf.POSITION.fields();
            for (int i = 0; i < fields.size(); i++) {
                if (fields.get(i).name().equals(name)) {
                    return i;
                }
            }
            throw new IllegalStateException(name);
        }

        @Override
        public boolean test(BlockScan scan, Column column, int index) {
            return column instanceof Column.Structs structs
                    && structs.presence().has(index)
                    && structs.fields().get(LATITUDE).orElse(null) instanceof Column.Numbers north
                    && structs.fields().get(LONGITUDE).orElse(null) instanceof Column.Numbers east
                    && north.presence().has(index)
                    && east.presence().has(index)
                    && area.holds(
                            north.values().get(Layouts.DOUBLE, (long) index << 3),
                            east.values().get(Layouts.DOUBLE, (long) index << 3));
        }
    }

    /**
     * An element of a collection matches; in a map, an entry matches.
     *
     * @param elements the permitted indices of the element; empty permits all
     */
    record AnyElement(ValuePredicate element, List<Integer> elements) implements ValuePredicate {
        /** Permits any index. */
        AnyElement(ValuePredicate element) {
            this(element, List.of());
        }

        @Override
        public boolean test(BlockScan scan, Column column, int index) {
            int first = first(column, index);
            int end = end(column, index);
            if (elements.isEmpty()) {
                scan.work().spend(Math.max(0, end - first));
                for (int at = first; at < end; at++) {
                    if (element.test(scan, column, at)) {
                        return true;
                    }
                }
                return false;
            }
            for (int i = 0; i < elements.size(); i++) {
                int chosen = elements.get(i);
                if (chosen < end - first && element.test(scan, column, first + chosen)) {
                    return true;
                }
            }
            return false;
        }

        /** Returns the index of the first element of a value; {@link #end} if it has none. */
        static int first(Column column, int index) {
            return switch (column) {
                case Column.Arrays arrays when arrays.presence().has(index) -> arrays.first(index);
                case Column.WeightedSets sets when sets.presence().has(index) -> sets.first(index);
                case Column.Maps maps when maps.presence().has(index) -> maps.first(index);
                case Column.FixedWidth _, Column.Texts _, Column.Nested _ -> 0;
            };
        }

        static int end(Column column, int index) {
            return switch (column) {
                case Column.Arrays arrays when arrays.presence().has(index) ->
                        arrays.first(index + 1);
                case Column.WeightedSets sets when sets.presence().has(index) ->
                        sets.first(index + 1);
                case Column.Maps maps when maps.presence().has(index) -> maps.first(index + 1);
                case Column.FixedWidth _, Column.Texts _, Column.Nested _ -> 0;
            };
        }
    }

    /** A part of the element at an index matches. */
    record OfElement(Part part, ValuePredicate inner) implements ValuePredicate {
        /** The part of an element. */
        enum Part {
            /** The element itself; of a map, the value. */
            VALUE,
            /** The key of an entry. */
            KEY;

            /**
             * Returns the column of this part of all elements. A column that is no collection is
             * returned as it is.
             */
            Column of(Column column) {
                return switch (column) {
                    case Column.Arrays arrays -> arrays.elements();
                    case Column.WeightedSets sets -> sets.elements();
                    case Column.Maps maps -> this == KEY ? maps.keys() : maps.values();
                    case Column.FixedWidth _, Column.Texts _, Column.Nested _ -> column;
                };
            }
        }

        @Override
        public boolean test(BlockScan scan, Column column, int index) {
            return switch (column) {
                case Column.Arrays arrays -> inner.test(scan, arrays.elements(), index);
                case Column.WeightedSets sets -> inner.test(scan, sets.elements(), index);
                case Column.Maps maps ->
                        inner.test(scan, part == Part.KEY ? maps.keys() : maps.values(), index);
                case Column.FixedWidth _, Column.Texts _, Column.Nested _ -> false;
            };
        }
    }

    /** A member of a struct matches. */
    record Member(int member, ValuePredicate inner) implements ValuePredicate {
        @Override
        public boolean test(BlockScan scan, Column column, int index) {
            if (!(column instanceof Column.Structs structs) || !structs.presence().has(index)) {
                return false;
            }
            Optional<Column> memberColumn = structs.fields().get(member);
            return memberColumn.isPresent() && inner.test(scan, memberColumn.get(), index);
        }
    }

    /** All of {@code parts} match the same value. */
    record Every(List<ValuePredicate> parts) implements ValuePredicate {
        @Override
        public boolean test(BlockScan scan, Column column, int index) {
            scan.work().spend(parts.size());
            for (int i = 0; i < parts.size(); i++) {
                if (!parts.get(i).test(scan, column, index)) {
                    return false;
                }
            }
            return true;
        }
    }

    /** At least one of {@code parts} matches the value. */
    record Any(List<ValuePredicate> parts) implements ValuePredicate {
        @Override
        public boolean test(BlockScan scan, Column column, int index) {
            scan.work().spend(parts.size());
            for (int i = 0; i < parts.size(); i++) {
                if (parts.get(i).test(scan, column, index)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** {@code included} matches and {@code out} does not. */
    record Except(ValuePredicate included, ValuePredicate out) implements ValuePredicate {
        @Override
        public boolean test(BlockScan scan, Column column, int index) {
            return included.test(scan, column, index) && !out.test(scan, column, index);
        }
    }

    /** The number, or a boolean as 0 or 1, is one of several keys. */
    record Among(NumberKeys keys) implements ValuePredicate {
        @Override
        public boolean test(BlockScan scan, Column column, int index) {
            return keys.weightOf(column, index) != NumberKeys.NONE;
        }
    }

    /**
     * The sum over all elements of key weight times element weight exceeds the threshold. With a
     * threshold of 0 or less, one matching key suffices. A value that is no collection counts as
     * one element.
     */
    record Product(NumberKeys numbers, int textPredicate, double threshold)
            implements ValuePredicate {
        /** The value for a predicate without texts. */
        static final int NO_PREDICATE = -1;

        @Override
        public boolean test(BlockScan scan, Column column, int index) {
            double sum = sum(scan, column, index);
            return !Double.isNaN(sum) && (threshold <= 0 || sum > threshold);
        }

        /** Returns the sum for a value; NaN if the value contains none of the keys. */
        double sum(BlockScan scan, Column column, int index) {
            if (!(column instanceof Column.Nested)) {
                long weight = weight(scan, column, index);
                return weight == NumberKeys.NONE ? Double.NaN : weight;
            }
            int first = AnyElement.first(column, index);
            int end = AnyElement.end(column, index);
            scan.work().spend(Math.max(0, end - first));
            double sum = 0;
            boolean isPresent = false;
            for (int at = first; at < end; at++) {
                long weight =
                        switch (column) {
                            case Column.Arrays arrays -> weight(scan, arrays.elements(), at);
                            case Column.WeightedSets sets -> weight(scan, sets.elements(), at);
                            case Column.Maps maps -> weight(scan, maps.keys(), at);
                            case Column.FixedWidth _, Column.Texts _, Column.Nested _ ->
                                    NumberKeys.NONE;
                        };
                if (weight != NumberKeys.NONE) {
                    isPresent = true;
                    sum += (double) weight * elementWeight(column, at);
                }
            }
            return isPresent ? sum : Double.NaN;
        }

        private long weight(BlockScan scan, Column column, int index) {
            if (column instanceof Column.Texts texts) {
                return textPredicate == NO_PREDICATE || !texts.presence().has(index)
                        ? NumberKeys.NONE
                        : scan.textMatcher(textPredicate).weight(texts, index);
            }
            return numbers.weightOf(column, index);
        }

        private static double elementWeight(Column column, int at) {
            return switch (column) {
                case Column.WeightedSets sets ->
                        sets.weights().values().get(Layouts.INT, (long) at << 2);
                case Column.Maps maps when maps.values() instanceof Column.Numbers values ->
                        switch (values.kind()) {
                            case INT -> values.values().get(Layouts.INT, (long) at << 2);
                            case LONG -> values.values().get(Layouts.LONG, (long) at << 3);
                            case FLOAT -> values.values().get(Layouts.FLOAT, (long) at << 2);
                            case DOUBLE -> values.values().get(Layouts.DOUBLE, (long) at << 3);
                        };
                case Column.FixedWidth _, Column.Texts _, Column.Nested _ -> 1;
            };
        }
    }
}
