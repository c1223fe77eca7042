package org.crabro.content.search.visit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.TextReader;
import org.crabro.document.select.SelectedColumn;
import org.crabro.document.select.SelectedDocument;
import org.crabro.document.select.SelectedRows;

/** The rows of one block as a selection reads them, directly from its columns. For one thread. */
final class ColumnRows implements SelectedRows {
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final OpenBlock rows;
    private final EncodedBlock block;
    private final SelectedRow selected = new SelectedRow();

    ColumnRows(OpenBlock rows) {
        this.rows = rows;
        this.block = rows.block();
    }

    @Override
    public SelectedDocument document(int row) {
        return selected.at(rows, row);
    }

    @Override
    public int head(int row) {
        return block.idHead(row);
    }

    @Override
    public int group(int row) {
        return block.groupOf(row);
    }

    @Override
    public SelectedColumn column(String field) {
        Optional<Column> column = rows.column(field);
        if (column.isEmpty()) {
            return new SelectedColumn.Unset();
        }
        return switch (column.get()) {
            case Column.Numbers numbers ->
                    switch (numbers.kind()) {
                        case INT, LONG -> new WholeNumbers(numbers);
                        case FLOAT, DOUBLE -> new RealNumbers(numbers);
                    };
            case Column.Booleans booleans -> new Flags(booleans);
            case Column.Texts texts -> new Strings(texts, new TextReader());
            case Column.Nested _, Column.DenseTensors _ -> new SelectedColumn.Other();
        };
    }

    private record WholeNumbers(Column.Numbers column) implements SelectedColumn.Numbers {
        @Override
        public boolean isSet(int row) {
            return column.presence().has(row);
        }

        @Override
        public boolean isWhole() {
            return true;
        }

        @Override
        public long whole(int row) {
            return column.kind() == Column.NumberKind.INT
                    ? column.values().get(INT, 4L * row)
                    : column.values().get(LONG, 8L * row);
        }

        @Override
        public double real(int row) {
            return whole(row);
        }
    }

    private record RealNumbers(Column.Numbers column) implements SelectedColumn.Numbers {
        @Override
        public boolean isSet(int row) {
            return column.presence().has(row);
        }

        @Override
        public boolean isWhole() {
            return false;
        }

        @Override
        public long whole(int row) {
            throw new IllegalStateException("numbers that are not whole");
        }

        @Override
        public double real(int row) {
            return column.kind() == Column.NumberKind.FLOAT
                    ? Float.intBitsToFloat(column.values().get(INT, 4L * row))
                    : Double.longBitsToDouble(column.values().get(LONG, 8L * row));
        }
    }

    private record Flags(Column.Booleans column) implements SelectedColumn.Numbers {
        @Override
        public boolean isSet(int row) {
            return column.presence().has(row);
        }

        @Override
        public boolean isWhole() {
            return true;
        }

        @Override
        public long whole(int row) {
            return column.values().get(ValueLayout.JAVA_BYTE, row) == 0 ? 0 : 1;
        }

        @Override
        public double real(int row) {
            return whole(row);
        }
    }

    /**
     * Texts.
     *
     * @param reader used for this column only
     */
    private record Strings(Column.Texts column, TextReader reader) implements SelectedColumn.Texts {
        @Override
        public boolean isSet(int row) {
            return column.presence().has(row);
        }

        @Override
        public String text(int row) {
            reader.read(column, row);
            return current();
        }

        @Override
        public int compare(int row, byte[] text) {
            reader.read(column, row);
            MemorySegment bytes = reader.bytes();
            long from = reader.offset();
            long end = from + reader.length();
            MemorySegment other = MemorySegment.ofArray(text);
            long at = MemorySegment.mismatch(bytes, from, end, other, 0, text.length);
            if (at < 0) {
                return 0;
            }
            if (at == end - from || at == text.length) {
                return Long.compare(end - from, text.length);
            }
            return Byte.compareUnsigned(
                    bytes.get(ValueLayout.JAVA_BYTE, from + at), text[(int) at]);
        }

        @Override
        public int codeCount() {
            return column instanceof Column.CodedTexts coded ? coded.valueCount() : 0;
        }

        @Override
        public int code(int row) {
            return coded().code(row);
        }

        @Override
        public String textOf(int code) {
            reader.readValue(coded(), code);
            return current();
        }

        private Column.CodedTexts coded() {
            if (column instanceof Column.CodedTexts coded) {
                return coded;
            }
            throw new IllegalStateException("texts without codes");
        }

        private String current() {
            return new String(
                    reader.bytes()
                            .asSlice(reader.offset(), reader.length())
                            .toArray(ValueLayout.JAVA_BYTE),
                    StandardCharsets.UTF_8);
        }
    }
}
