package org.crabro.content.result;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.crabro.content.match.Layouts;
import org.crabro.content.match.RowOrder;
import org.crabro.content.match.TypedColumns;
import org.crabro.content.run.BlockSlice;
import org.crabro.content.run.Column;
import org.crabro.content.run.TextReader;
import org.crabro.document.Field;
import org.crabro.text.FoldedText;
import org.crabro.text.Folding;
import org.jspecify.annotations.Nullable;

/**
 * The order of rows by values of fields, read where they lie. For one thread.
 *
 * <p>It is the order of {@link org.crabro.protocol.search.HitOrder}: a missing value is smaller
 * than all others, strings are compared in lower case by their bytes, and document ids come last.
 */
final class FieldOrder implements RowOrder {
    private final List<BlockSlice> slices;
    private final List<Key> keys;
    private final @Nullable Column[][] columns;
    private final boolean[][] known;
    private final TextReader reader = new TextReader();
    private final TextReader otherReader = new TextReader();
    private final FoldedText text = new FoldedText(Folding.CASE);
    private final FoldedText otherText = new FoldedText(Folding.CASE);

    /** One key of the order. */
    sealed interface Key {
        boolean ascending();

        /** The score of a row. */
        record Score(boolean ascending) implements Key {}

        /** The value of a field. */
        record Value(Field field, Kind kind, boolean ascending) implements Key {}
    }

    /** How the values of a field are compared. */
    enum Kind {
        WHOLE,
        REAL,
        TEXT
    }

    FieldOrder(List<BlockSlice> slices, List<Key> keys) {
        this.slices = slices;
        this.keys = keys;
        this.columns = new Column[keys.size()][slices.size()];
        this.known = new boolean[keys.size()][slices.size()];
    }

    @Override
    public int compare(
            int slice, int row, double value, int otherSlice, int otherRow, double otherValue) {
        for (int i = 0; i < keys.size(); i++) {
            Key key = keys.get(i);
            int order =
                    switch (key) {
                        case Key.Score _ -> Double.compare(value, otherValue);
                        case Key.Value(_, Kind kind, _) ->
                                compare(
                                        kind,
                                        column(i, slice),
                                        row,
                                        column(i, otherSlice),
                                        otherRow);
                    };
            if (order != 0) {
                return key.ascending() ? order : -order;
            }
        }
        return RowOrder.compareIds(slices, slice, row, otherSlice, otherRow);
    }

    private @Nullable Column column(int key, int slice) {
        if (!known[key][slice]) {
            known[key][slice] = true;
            if (keys.get(key) instanceof Key.Value(Field field, _, _)) {
                columns[key][slice] =
                        TypedColumns.column(slices.get(slice).block(), field).orElse(null);
            }
        }
        return columns[key][slice];
    }

    private int compare(
            Kind kind, @Nullable Column column, int row, @Nullable Column other, int otherRow) {
        boolean has = column != null && column.presence().has(row);
        boolean otherHas = other != null && other.presence().has(otherRow);
        if (column == null || other == null || !has || !otherHas) {
            return Boolean.compare(has, otherHas);
        }
        return switch (kind) {
            case WHOLE -> Long.compare(whole(column, row), whole(other, otherRow));
            case REAL -> Double.compare(real(column, row), real(other, otherRow));
            case TEXT -> compareTexts(column, row, other, otherRow);
        };
    }

    private int compareTexts(Column column, int row, Column other, int otherRow) {
        if (column.equals(other)
                && column instanceof Column.CodedTexts coded
                && coded.code(row) == coded.code(otherRow)) {
            return 0;
        }
        fold(column, row, reader, text);
        fold(other, otherRow, otherReader, otherText);
        return Arrays.compareUnsigned(
                text.buffer(), 0, text.length(), otherText.buffer(), 0, otherText.length());
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

    private static void fold(Column column, int row, TextReader reader, FoldedText into) {
        if (column instanceof Column.Texts texts) {
            reader.read(texts, row);
            into.set(reader.bytes(), reader.offset(), reader.length());
        } else {
            into.set(MemorySegment.NULL, 0, 0);
        }
    }
}
