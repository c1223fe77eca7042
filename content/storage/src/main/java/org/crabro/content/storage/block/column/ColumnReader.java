package org.crabro.content.storage.block.column;

import static org.crabro.content.storage.layout.BlockLayout.INT;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.content.storage.file.ByteOrigin;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.ChunkEncoding;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.tensor.TensorType;

/**
 * Creates columns from the bytes of a block, in the layout of {@link BlockLayout}. Copies nothing.
 *
 * @param block all of it, its chunks checked
 */
public record ColumnReader(MemorySegment block, ByteOrigin origin) {
    /**
     * Returns the column of the values at {@code offset}.
     *
     * @param length of the values, without a bitmap
     * @param count the number of values
     * @throws CorruptRunException if the bytes cannot hold such a column
     */
    public Column column(
            FieldType type,
            ChunkEncoding encoding,
            long offset,
            long length,
            int count,
            Presence presence) {
        MemorySegment values = block.asSlice(offset, length);
        checkFits(offset, (long) count * encoding.width(type), length);
        return switch (encoding) {
            case INT -> new Column.Numbers(Column.NumberKind.INT, values, presence);
            case LONG -> new Column.Numbers(Column.NumberKind.LONG, values, presence);
            case FLOAT -> new Column.Numbers(Column.NumberKind.FLOAT, values, presence);
            case DOUBLE -> new Column.Numbers(Column.NumberKind.DOUBLE, values, presence);
            case BOOL -> new Column.Booleans(values, presence);
            case TEXT -> {
                long starts = 4L * (count + 1);
                checkFits(offset, starts, length);
                yield new Column.RawTexts(
                        values.asSlice(0, starts), values.asSlice(starts), presence);
            }
            case CODED_TEXT -> codedTexts(values, offset, count, presence);
            case FRAMED_TEXT -> {
                long starts = 4L * (count + 1);
                checkFits(offset, starts + Integer.BYTES, length);
                MemorySegment textStarts = values.asSlice(0, starts);
                var frames =
                        new TextFrames(textStarts, values.asSlice(starts), origin, offset + starts);
                yield new Column.FramedTexts(textStarts, frames, presence);
            }
            case ARRAY -> {
                if (!(type instanceof FieldType.ArrayOf(var element))) {
                    throw notChecked(type);
                }
                MemorySegment firsts = firsts(values, offset, count);
                Child elements = child(element, values, offset, firsts.byteSize(), last(firsts));
                yield new Column.Arrays(firsts, elements.column(), presence);
            }
            case WEIGHTED_SET -> {
                if (!(type instanceof FieldType.WeightedSetOf(var element))) {
                    throw notChecked(type);
                }
                MemorySegment firsts = firsts(values, offset, count);
                int last = last(firsts);
                Child elements = child(element, values, offset, firsts.byteSize(), last);
                Child weights =
                        child(FieldType.Primitive.INT, values, offset, elements.end(), last);
                if (!(weights.column() instanceof Column.Numbers numbers)) {
                    throw notChecked(type);
                }
                yield new Column.WeightedSets(firsts, elements.column(), numbers, presence);
            }
            case MAP -> {
                if (!(type instanceof FieldType.MapOf(var key, var value))) {
                    throw notChecked(type);
                }
                MemorySegment firsts = firsts(values, offset, count);
                int last = last(firsts);
                Child keys = child(key, values, offset, firsts.byteSize(), last);
                Child mapped = child(value, values, offset, keys.end(), last);
                yield new Column.Maps(firsts, keys.column(), mapped.column(), presence);
            }
            case STRUCT -> {
                if (!(type instanceof FieldType.StructOf struct)) {
                    throw notChecked(type);
                }
                yield structs(struct, values, offset, count, presence);
            }
            case TENSOR -> {
                if (!(type instanceof FieldType.TensorOf(var tensor))) {
                    throw notChecked(type);
                }
                yield new Column.DenseTensors(tensor, values, presence);
            }
            case MIXED_TENSOR -> {
                if (!(type instanceof FieldType.TensorOf(var tensor))) {
                    throw notChecked(type);
                }
                yield mixedTensors(tensor, values, offset, count, presence);
            }
            case GROUPS,
                    KEYS,
                    TIMESTAMPS,
                    TOMBSTONES,
                    TOKEN_DICTIONARY,
                    TOKEN_NUMBERS,
                    INVERSE_LENGTHS ->
                    throw new IllegalStateException("not a field's values: " + encoding);
        };
    }

    private Column codedTexts(MemorySegment values, long offset, int count, Presence presence) {
        checkFits(offset, Integer.BYTES, values.byteSize());
        int distinct = values.get(INT, 0);
        if (distinct < 1) {
            throw origin.corrupt(offset, "a dictionary", distinct + " texts");
        }
        long codes = BlockLayout.codesOffset(distinct);
        int codeSize = BlockLayout.codeSize(distinct);
        long texts = codes + (long) count * codeSize;
        checkFits(offset, texts, values.byteSize());
        return new Column.CodedTexts(
                values.asSlice(Integer.BYTES, codes - Integer.BYTES),
                values.asSlice(texts),
                values.asSlice(codes, texts - codes),
                codeSize,
                presence);
    }

    private MemorySegment firsts(MemorySegment values, long offset, int count) {
        long size = 4L * (count + 1);
        checkFits(offset, size, values.byteSize());
        return values.asSlice(0, size);
    }

    private static int last(MemorySegment firsts) {
        return firsts.get(INT, firsts.byteSize() - Integer.BYTES);
    }

    private Column structs(
            FieldType.StructOf type,
            MemorySegment values,
            long offset,
            int count,
            Presence presence) {
        List<Optional<Column>> fields = new ArrayList<>();
        long at = 0;
        for (Field field : type.fields()) {
            long start = BlockLayout.childOffset(at);
            checkFits(offset, start, values.byteSize());
            if (BlockLayout.childEncoding(values, start) == BlockLayout.NO_CHILD) {
                fields.add(Optional.empty());
                at = start;
            } else {
                Child child = child(field.type(), values, offset, at, count);
                fields.add(Optional.of(child.column()));
                at = child.end();
            }
        }
        return new Column.Structs(type, fields, presence);
    }

    private Column mixedTensors(
            TensorType tensor, MemorySegment values, long offset, int count, Presence presence) {
        MemorySegment firsts = firsts(values, offset, count);
        int last = last(firsts);
        List<Column.Texts> labels = new ArrayList<>();
        long at = firsts.byteSize();
        for (int i = 0; i < tensor.mappedCount(); i++) {
            Child child = child(FieldType.Primitive.STRING, values, offset, at, last);
            if (!(child.column() instanceof Column.Texts texts)) {
                throw notChecked(FieldType.Primitive.STRING);
            }
            labels.add(texts);
            at = child.end();
        }
        long start = BlockLayout.childOffset(at);
        checkFits(offset, start, values.byteSize());
        int code = BlockLayout.childEncoding(values, start);
        int length = BlockLayout.childLength(values, start);
        int width = ChunkEncoding.subspaceWidth(tensor);
        if (code != ChunkEncoding.TENSOR.code() || length < 0 || length != (long) width * last) {
            throw origin.corrupt(
                    offset + start,
                    "%d subspaces of %d bytes".formatted(last, width),
                    "%d bytes of encoding %d".formatted(length, code));
        }
        checkFits(offset, start + length, values.byteSize());
        return new Column.MixedTensors(
                tensor, firsts, labels, values.asSlice(start, length), presence);
    }

    /**
     * @param end the end of the child in the values of its parent
     */
    private record Child(Column column, long end) {}

    /**
     * Returns a child.
     *
     * @param values of the parent
     * @param offset of {@code values} in the block
     * @param behind the end in {@code values} of the preceding part
     * @param count the number of its values
     */
    private Child child(FieldType type, MemorySegment values, long offset, long behind, int count) {
        long start = BlockLayout.childOffset(behind);
        checkFits(offset, start, values.byteSize());
        int code = BlockLayout.childEncoding(values, start);
        int length = BlockLayout.childLength(values, start);
        if (count < 0 || !ChunkEncoding.isCode(code) || !ChunkEncoding.ofCode(code).isFor(type)) {
            throw origin.corrupt(
                    offset + start,
                    "values of type " + type.text(),
                    "%d of encoding %d".formatted(count, code));
        }
        boolean hasBitmap = BlockLayout.hasChildBitmap(values, start);
        int bitmap = hasBitmap ? BlockLayout.bitmapSize(count) : 0;
        if (length < bitmap) {
            throw origin.corrupt(offset + start, "a child", length + " bytes");
        }
        checkFits(offset, start + length, values.byteSize());
        Presence presence =
                hasBitmap
                        ? new Presence.Some(values.asSlice(start + length - bitmap, bitmap))
                        : new Presence.Every();
        Column column =
                column(
                        type,
                        ChunkEncoding.ofCode(code),
                        offset + start,
                        length - bitmap,
                        count,
                        presence);
        return new Child(column, start + length);
    }

    private static IllegalStateException notChecked(FieldType type) {
        return new IllegalStateException("checked when the block was opened: " + type);
    }

    private void checkFits(long offset, long needed, long length) {
        if (needed > length) {
            throw origin.corrupt(
                    offset, "at least %d bytes".formatted(needed), "%d bytes".formatted(length));
        }
    }
}
