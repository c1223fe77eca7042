package org.crabro.content.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.protocol.encoding.Row;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;

/** Turns the values of fields into chunks. */
final class FieldChunks {
    private static final byte[] EMPTY = new byte[0];

    private FieldChunks() {}

    /**
     * Returns the chunk of the field at {@code index} of {@code type}, or nothing where no row has
     * a value.
     *
     * @throws IllegalArgumentException if a value is not of the field's type, or blocks cannot hold
     *     the type
     */
    static Optional<Chunk> of(DocumentType type, int index, List<Row> rows) {
        Field field = type.fields().get(index);
        var present = new BitSet(rows.size());
        for (int row = 0; row < rows.size(); row++) {
            present.set(row, rows.get(row).fields().containsKey(field.name()));
        }
        if (present.isEmpty()) {
            return Optional.empty();
        }
        var presence = new ChunkPresence(rows.size(), present);
        ChunkEncoding encoding = ChunkEncoding.of(field.type());
        return Optional.of(
                switch (encoding) {
                    case INT, LONG, FLOAT, DOUBLE, BOOL ->
                            numbers(encoding, field, index, rows, presence);
                    case TEXT -> texts(field, index, rows, presence);
                    case TEXT_ARRAY -> textArrays(field, index, rows, presence);
                    case TENSOR -> tensors(field, index, rows, presence);
                    case KEYS, TIMESTAMPS, TOMBSTONES ->
                            throw new IllegalStateException("no field's encoding: " + encoding);
                });
    }

    private static Chunk numbers(
            ChunkEncoding encoding,
            Field field,
            int index,
            List<Row> rows,
            ChunkPresence presence) {
        var bits = new long[rows.size()];
        for (int row = 0; row < bits.length; row++) {
            FieldValue value = rows.get(row).fields().get(field.name());
            if (value != null) {
                bits[row] = bits(encoding, field, value);
            }
        }
        return new NumberChunk(encoding, index, presence, encoding.width(field.type()), bits);
    }

    private static long bits(ChunkEncoding encoding, Field field, FieldValue value) {
        ChunkEncoding found =
                switch (value) {
                    case FieldValue.IntValue _ -> ChunkEncoding.INT;
                    case FieldValue.LongValue _ -> ChunkEncoding.LONG;
                    case FieldValue.FloatValue _ -> ChunkEncoding.FLOAT;
                    case FieldValue.DoubleValue _ -> ChunkEncoding.DOUBLE;
                    case FieldValue.BoolValue _ -> ChunkEncoding.BOOL;
                    case FieldValue.StringValue _,
                            FieldValue.ArrayValue _,
                            FieldValue.TensorValue _ ->
                            throw wrongValue(field, value);
                };
        if (found != encoding) {
            throw wrongValue(field, value);
        }
        return switch (value) {
            case FieldValue.IntValue(int number) -> number;
            case FieldValue.LongValue(long number) -> number;
            case FieldValue.FloatValue(float number) -> Float.floatToRawIntBits(number);
            case FieldValue.DoubleValue(double number) -> Double.doubleToRawLongBits(number);
            case FieldValue.BoolValue(boolean truth) -> truth ? 1 : 0;
            case FieldValue.StringValue _, FieldValue.ArrayValue _, FieldValue.TensorValue _ ->
                    throw wrongValue(field, value);
        };
    }

    private static Chunk texts(Field field, int index, List<Row> rows, ChunkPresence presence) {
        var texts = new byte[rows.size()][];
        for (int row = 0; row < texts.length; row++) {
            FieldValue value = rows.get(row).fields().get(field.name());
            texts[row] = value == null ? EMPTY : text(field, value);
        }
        return new TextChunk(index, presence, texts);
    }

    private static Chunk textArrays(
            Field field, int index, List<Row> rows, ChunkPresence presence) {
        var firsts = new int[rows.size() + 1];
        var texts = new ArrayList<byte[]>();
        for (int row = 0; row < rows.size(); row++) {
            FieldValue value = rows.get(row).fields().get(field.name());
            if (value instanceof FieldValue.ArrayValue(var elements)) {
                for (FieldValue element : elements) {
                    texts.add(text(field, element));
                }
            } else if (value != null) {
                throw wrongValue(field, value);
            }
            firsts[row + 1] = texts.size();
        }
        return new TextArrayChunk(index, presence, firsts, texts.toArray(byte[][]::new));
    }

    private static byte[] text(Field field, FieldValue value) {
        if (value instanceof FieldValue.StringValue(String text)) {
            return text.getBytes(UTF_8);
        }
        throw wrongValue(field, value);
    }

    private static Chunk tensors(Field field, int index, List<Row> rows, ChunkPresence presence) {
        if (!(field.type() instanceof FieldType.TensorOf(TensorType type))) {
            throw new IllegalStateException("no tensor: " + field);
        }
        var tensors = new ArrayList<Optional<DenseTensor>>(rows.size());
        for (Row row : rows) {
            FieldValue value = row.fields().get(field.name());
            if (value == null) {
                tensors.add(Optional.empty());
            } else if (value instanceof FieldValue.TensorValue(DenseTensor tensor)
                    && tensor.type().equals(type)) {
                tensors.add(Optional.of(tensor));
            } else {
                throw wrongValue(field, value);
            }
        }
        int width = ChunkEncoding.TENSOR.width(field.type());
        return new TensorChunk(type, index, presence, width, tensors);
    }

    private static IllegalArgumentException wrongValue(Field field, FieldValue value) {
        return new IllegalArgumentException(
                "field '%s' is of type %s and holds a %s"
                        .formatted(
                                field.name(),
                                field.type().text(),
                                value.getClass().getSimpleName()));
    }

    private static void writeStarts(byte[][] texts, BlockBytes out) {
        int start = 0;
        out.putInt(start);
        for (byte[] text : texts) {
            start = Math.addExact(start, text.length);
            out.putInt(start);
        }
    }

    private static int sizeOf(byte[][] texts) {
        int size = Math.multiplyExact(4, texts.length + 1);
        for (byte[] text : texts) {
            size = Math.addExact(size, text.length);
        }
        return size;
    }

    private static final class NumberChunk implements Chunk {
        private final ChunkEncoding encoding;
        private final int field;
        private final ChunkPresence presence;
        private final int width;
        private final long[] bits;

        NumberChunk(
                ChunkEncoding encoding, int field, ChunkPresence presence, int width, long[] bits) {
            this.encoding = encoding;
            this.field = field;
            this.presence = presence;
            this.width = width;
            this.bits = bits;
        }

        @Override
        public ChunkEncoding encoding() {
            return encoding;
        }

        @Override
        public int field() {
            return field;
        }

        @Override
        public ChunkPresence presence() {
            return presence;
        }

        @Override
        public int size() {
            return width * bits.length;
        }

        @Override
        public void writeTo(BlockBytes out) {
            for (long value : bits) {
                switch (width) {
                    case 1 -> out.putByte((int) value);
                    case 4 -> out.putInt((int) value);
                    default -> out.putLong(value);
                }
            }
        }
    }

    private static final class TextChunk implements Chunk {
        private final int field;
        private final ChunkPresence presence;
        private final byte[][] texts;

        TextChunk(int field, ChunkPresence presence, byte[][] texts) {
            this.field = field;
            this.presence = presence;
            this.texts = texts;
        }

        @Override
        public int field() {
            return field;
        }

        @Override
        public ChunkPresence presence() {
            return presence;
        }

        @Override
        public ChunkEncoding encoding() {
            return ChunkEncoding.TEXT;
        }

        @Override
        public int size() {
            return sizeOf(texts);
        }

        @Override
        public void writeTo(BlockBytes out) {
            writeStarts(texts, out);
            for (byte[] text : texts) {
                out.put(text);
            }
        }
    }

    private static final class TextArrayChunk implements Chunk {
        private final int field;
        private final ChunkPresence presence;
        private final int[] firsts;
        private final byte[][] texts;

        TextArrayChunk(int field, ChunkPresence presence, int[] firsts, byte[][] texts) {
            this.field = field;
            this.presence = presence;
            this.firsts = firsts;
            this.texts = texts;
        }

        @Override
        public int field() {
            return field;
        }

        @Override
        public ChunkPresence presence() {
            return presence;
        }

        @Override
        public ChunkEncoding encoding() {
            return ChunkEncoding.TEXT_ARRAY;
        }

        @Override
        public int size() {
            return Math.addExact(4 * firsts.length, sizeOf(texts));
        }

        @Override
        public void writeTo(BlockBytes out) {
            for (int first : firsts) {
                out.putInt(first);
            }
            writeStarts(texts, out);
            for (byte[] text : texts) {
                out.put(text);
            }
        }
    }

    private record TensorChunk(
            TensorType type,
            int field,
            ChunkPresence presence,
            int width,
            List<Optional<DenseTensor>> tensors)
            implements Chunk {
        @Override
        public ChunkEncoding encoding() {
            return ChunkEncoding.TENSOR;
        }

        @Override
        public int size() {
            return Math.multiplyExact(width, tensors.size());
        }

        @Override
        public void writeTo(BlockBytes out) {
            for (Optional<DenseTensor> tensor : tensors) {
                tensor.ifPresentOrElse(
                        present -> writeCells(present, out), () -> out.putZeros(width));
            }
        }

        private void writeCells(DenseTensor tensor, BlockBytes out) {
            for (int cell = 0; cell < tensor.size(); cell++) {
                double value = tensor.cell(cell);
                switch (type.cellType()) {
                    case DOUBLE -> out.putLong(Double.doubleToRawLongBits(value));
                    case FLOAT -> out.putInt(Float.floatToRawIntBits((float) value));
                    case BFLOAT16 -> out.putShort(Float.floatToRawIntBits((float) value) >>> 16);
                    case INT8 -> out.putByte((int) value);
                }
            }
        }
    }
}
