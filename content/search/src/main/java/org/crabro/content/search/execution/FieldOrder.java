package org.crabro.content.search.execution;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.crabro.content.search.match.Layouts;
import org.crabro.content.search.match.RowOrder;
import org.crabro.content.search.parent.Parents;
import org.crabro.content.search.parent.RowValues;
import org.crabro.content.storage.block.TypedColumns;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.TextReader;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldValue;
import org.crabro.protocol.search.Base64Order;
import org.crabro.protocol.search.Collation;
import org.crabro.protocol.search.SortKey;
import org.crabro.protocol.search.TextOrder;
import org.crabro.text.FoldedText;
import org.crabro.text.Folding;
import org.jspecify.annotations.Nullable;

/**
 * The order of rows by values of fields, read from the columns of blocks. For one thread.
 *
 * <p>It is the order of {@link org.crabro.protocol.search.HitOrder}: each key says how strings are
 * compared, and document ids decide between equal rows.
 */
final class FieldOrder implements RowOrder {
    /** The units of work for comparing a character by the rules of a language. */
    private static final int COLLATION_UNITS = 32;

    private final WorkMeter work;
    private final RowValues imported;
    private final RowValues otherImported;

    /** By key: whether its field is imported. */
    private final boolean[] isImported;

    private final List<BlockSlice> slices;
    private final List<Key> keys;

    /** The first of the slices whose columns contain the compared values themselves. */
    private final int passed;

    private final @Nullable Column[][] columns;
    private final boolean[][] isRead;
    private final TextReader reader = new TextReader();
    private final TextReader otherReader = new TextReader();
    private final TextReader keyReader = new TextReader();
    private final FoldedText text = new FoldedText(Folding.CASE);
    private final FoldedText otherText = new FoldedText(Folding.CASE);
    private final FoldedText raw = new FoldedText(Folding.NONE);
    private final FoldedText otherRaw = new FoldedText(Folding.NONE);

    /** By key: the order of the language of its strings; null if bytes are compared. */
    private final @Nullable Collation[] collations;

    /** By key: the other string of the last comparison, which often is that of the worst hit. */
    private final LastText[] last;

    /** By key: the substitute for missing whole numbers. */
    private final long[] wholes;

    /** By key: the substitute for missing real numbers. */
    private final double[] reals;

    /** One key of the order. */
    sealed interface Key {
        boolean ascending();

        /** The score of a row. */
        record Score(boolean ascending) implements Key {}

        /** The id of a document. */
        record Id(boolean ascending) implements Key {}

        /**
         * The value of a field.
         *
         * @param path from the field to the compared value. If a row has several values, the key
         *     selects one of them or their sum
         * @param substitute the value of rows that have none
         */
        record Value(
                Field field,
                SortPath path,
                Kind kind,
                SortKey.FieldValueOf key,
                Optional<FieldValue> substitute)
                implements Key {
            @Override
            public boolean ascending() {
                return key.ascending();
            }

            private boolean isSum() {
                return key.several() == SortKey.Several.SUM;
            }

            /** Returns the type of the compared values. */
            FieldType valueType() {
                return isSum()
                        ? kind == Kind.REAL ? Primitive.DOUBLE : Primitive.LONG
                        : path.single();
            }

            /**
             * Returns the field of a block that contains the compared value itself, as {@link
             * SearchAfter} makes it.
             *
             * @param index the index of the key
             */
            Field passed(int index) {
                return new Field("key " + index, valueType(), false);
            }
        }
    }

    /** How the values of a field are compared. */
    enum Kind {
        WHOLE,
        REAL,
        TEXT
    }

    /** A string as an object, and the row that it was read from. */
    private static final class LastText {
        private @Nullable Column column;
        private int row;
        private String text = "";
    }

    /**
     * @param passed the first of the slices whose columns contain the compared values themselves,
     *     in the fields of {@link Key.Value#passed}
     * @param parents the documents whose fields are imported
     * @param work counts the work of comparing texts, and may stop it
     */
    FieldOrder(
            List<BlockSlice> slices, List<Key> keys, int passed, Parents parents, WorkMeter work) {
        this.work = work;
        this.imported = new RowValues(parents, work);
        this.otherImported = new RowValues(parents, work);
        this.isImported = new boolean[keys.size()];
        this.slices = slices;
        this.keys = keys;
        this.passed = passed;
        this.columns = new Column[keys.size()][slices.size()];
        this.isRead = new boolean[keys.size()][slices.size()];
        this.wholes = new long[keys.size()];
        this.reals = new double[keys.size()];
        this.collations = new Collation[keys.size()];
        this.last = new LastText[keys.size()];
        for (int i = 0; i < keys.size(); i++) {
            last[i] = new LastText();
            if (keys.get(i) instanceof Key.Value value) {
                isImported[i] = parents.has(value.field().name());
                if (value.key().texts() instanceof TextOrder.Collated collated) {
                    collations[i] = Collation.of(collated);
                }
                // A substitute for texts is read from the key when it is compared.
                FieldValue substitute = value.substitute().orElse(null);
                if (substitute instanceof FieldValue.LongValue(long whole)) {
                    wholes[i] = whole;
                } else if (substitute instanceof FieldValue.DoubleValue(double real)) {
                    reals[i] = real;
                }
            }
        }
    }

    @Override
    public int compare(
            int slice, int row, double value, int otherSlice, int otherRow, double otherValue) {
        for (int i = 0; i < keys.size(); i++) {
            Key key = keys.get(i);
            int order =
                    switch (key) {
                        case Key.Score(boolean ascending) ->
                                directed(Double.compare(value, otherValue), ascending);
                        case Key.Id(boolean ascending) ->
                                directed(
                                        RowOrder.compareIds(
                                                slices, slice, row, otherSlice, otherRow),
                                        ascending);
                        case Key.Value of -> compare(i, of, slice, row, otherSlice, otherRow);
                    };
            if (order != 0) {
                return order;
            }
        }
        return RowOrder.compareIds(slices, slice, row, otherSlice, otherRow);
    }

    private @Nullable Column column(int key, int slice) {
        if (!isRead[key][slice]) {
            isRead[key][slice] = true;
            if (keys.get(key) instanceof Key.Value value) {
                Field field = slice < passed ? value.field() : value.passed(key);
                columns[key][slice] =
                        TypedColumns.column(slices.get(slice).block(), field).orElse(null);
            }
        }
        return columns[key][slice];
    }

    private static int directed(int order, boolean ascending) {
        return ascending ? order : -order;
    }

    private int compare(
            int index, Key.Value key, int slice, int row, int otherSlice, int otherRow) {
        boolean isWhole = slice >= passed;
        boolean isOtherWhole = otherSlice >= passed;
        Column column;
        Column other;
        int own = row;
        int that = otherRow;
        if (isImported[index] && !isWhole) {
            imported.at(slices.get(slice).block(), row, key.field());
            column = imported.column();
            own = imported.row();
        } else {
            column = column(index, slice);
        }
        if (isImported[index] && !isOtherWhole) {
            otherImported.at(slices.get(otherSlice).block(), otherRow, key.field());
            other = otherImported.column();
            that = otherImported.row();
        } else {
            other = column(index, otherSlice);
        }
        Column values = isWhole ? column : key.path().end(column);
        Column otherValues = isOtherWhole ? other : key.path().end(other);
        int at = isWhole ? row(column, own) : place(index, key, column, values, own);
        int otherAt = isOtherWhole ? row(other, that) : place(index, key, other, otherValues, that);
        boolean isFilled = key.substitute().isPresent();
        if (!isFilled && (at < 0 || otherAt < 0)) {
            int missing = Boolean.compare(at >= 0, otherAt >= 0);
            return key.key().isMissingFirst() ? missing : -missing;
        }
        int order =
                switch (key.kind()) {
                    case WHOLE ->
                            Long.compare(
                                    values == null || at < 0
                                            ? wholes[index]
                                            : whole(values, at, end(key, column, own, at)),
                                    otherValues == null || otherAt < 0
                                            ? wholes[index]
                                            : whole(
                                                    otherValues,
                                                    otherAt,
                                                    end(key, other, that, otherAt)));
                    case REAL ->
                            Double.compare(
                                    values == null || at < 0
                                            ? reals[index]
                                            : real(values, at, end(key, column, own, at)),
                                    otherValues == null || otherAt < 0
                                            ? reals[index]
                                            : real(
                                                    otherValues,
                                                    otherAt,
                                                    end(key, other, that, otherAt)));
                    case TEXT -> compareTexts(index, key, values, at, otherValues, otherAt);
                };
        return directed(order, key.ascending());
    }

    private static int row(@Nullable Column column, int row) {
        return column != null && column.presence().has(row) ? row : -1;
    }

    /** Returns the end of the values that count: all of a row for a sum, otherwise one. */
    private static int end(Key.Value key, @Nullable Column column, int row, int first) {
        return key.isSum() && key.path().hasSeveral() ? SortPath.first(column, row + 1) : first + 1;
    }

    private static long whole(Column values, int first, int end) {
        long sum = whole(values, first);
        for (int at = first + 1; at < end; at++) {
            sum += values.presence().has(at) ? whole(values, at) : 0;
        }
        return sum;
    }

    private static double real(Column values, int first, int end) {
        double sum = real(values, first);
        for (int at = first + 1; at < end; at++) {
            sum += values.presence().has(at) ? real(values, at) : 0;
        }
        return sum;
    }

    /**
     * Returns the index of the value of a row, of the one of several values that counts, or of the
     * first value of a sum; -1 if the row has none.
     */
    private int place(
            int index, Key.Value key, @Nullable Column column, @Nullable Column values, int row) {
        if (column == null || values == null || !column.presence().has(row)) {
            return -1;
        }
        if (!key.path().hasSeveral()) {
            return key.path().place(column, row, keyReader);
        }
        int end = SortPath.first(column, row + 1);
        boolean takesLeast = key.key().usesSmallest();
        int best = -1;
        for (int at = SortPath.first(column, row); at < end; at++) {
            if (values.presence().has(at)) {
                if (key.isSum()) {
                    return at;
                }
                if (best < 0 || directed(compare(index, key, values, at, best), takesLeast) < 0) {
                    best = at;
                }
            }
        }
        return best;
    }

    private int compare(int index, Key.Value key, Column values, int at, int other) {
        return switch (key.kind()) {
            case WHOLE -> Long.compare(whole(values, at), whole(values, other));
            case REAL -> Double.compare(real(values, at), real(values, other));
            case TEXT -> compareTexts(index, key, values, at, values, other);
        };
    }

    private int compareTexts(
            int index,
            Key.Value key,
            @Nullable Column column,
            int row,
            @Nullable Column other,
            int otherRow) {
        if (row >= 0
                && otherRow >= 0
                && column instanceof Column.CodedTexts coded
                && coded.equals(other)
                && coded.code(row) == coded.code(otherRow)) {
            return 0;
        }
        Collation collation = collations[index];
        if (collation != null) {
            String one = string(key, column, row);
            String two = lastString(index, key, other, otherRow);
            work.spend(Math.min(one.length(), two.length()), COLLATION_UNITS);
            return collation.compare(one, two);
        }
        boolean isEncoded = key.key().texts() instanceof TextOrder.EncodedBytes;
        boolean isRaw = isEncoded || key.key().texts() instanceof TextOrder.Raw;
        FoldedText one = isRaw ? raw : text;
        FoldedText two = isRaw ? otherRaw : otherText;
        fold(key, column, row, reader, one);
        fold(key, other, otherRow, otherReader, two);
        work.spend(one.length() + two.length());
        if (isEncoded) {
            return Base64Order.compare(one.buffer(), one.length(), two.buffer(), two.length());
        }
        return Arrays.compareUnsigned(one.buffer(), 0, one.length(), two.buffer(), 0, two.length());
    }

    @SuppressWarnings("ReferenceEquality") // Columns of one block are the same object.
    private String lastString(int index, Key.Value key, @Nullable Column column, int row) {
        LastText previous = last[index];
        if (column == null || row < 0 || previous.column != column || previous.row != row) {
            previous.text = string(key, column, row);
            previous.column = column;
            previous.row = row;
        }
        return previous.text;
    }

    private String string(Key.Value key, @Nullable Column column, int row) {
        fold(key, column, row, reader, raw);
        return new String(raw.buffer(), 0, raw.length(), StandardCharsets.UTF_8);
    }

    private static long whole(Column column, int row) {
        return switch (column) {
            case Column.Numbers numbers ->
                    switch (numbers.kind()) {
                        case INT -> numbers.values().get(Layouts.INT, (long) row << 2);
                        case LONG -> numbers.values().get(Layouts.LONG, (long) row << 3);
                        case FLOAT, DOUBLE -> (long) real(column, row);
                    };
            case Column.Booleans booleans -> booleans.values().get(ValueLayout.JAVA_BYTE, row);
            case Column.Texts _, Column.Nested _, Column.DenseTensors _ -> 0;
        };
    }

    private static double real(Column column, int row) {
        return switch (column) {
            case Column.Numbers numbers ->
                    switch (numbers.kind()) {
                        case INT, LONG -> whole(column, row);
                        case FLOAT -> numbers.values().get(Layouts.FLOAT, (long) row << 2);
                        case DOUBLE -> numbers.values().get(Layouts.DOUBLE, (long) row << 3);
                    };
            case Column.Booleans _, Column.Texts _, Column.Nested _, Column.DenseTensors _ -> 0;
        };
    }

    private static void fold(
            Key.Value key, @Nullable Column column, int row, TextReader reader, FoldedText into) {
        if (row >= 0 && column instanceof Column.Texts texts) {
            reader.read(texts, row);
            into.set(reader.bytes(), reader.offset(), reader.length());
        } else if (row < 0
                && key.substitute().orElse(null) instanceof FieldValue.StringValue(String value)) {
            byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
            into.set(bytes, 0, bytes.length);
        } else {
            into.set(MemorySegment.NULL, 0, 0);
        }
    }
}
