package org.crabro.content.run;

import static org.crabro.content.run.BlockLayout.INT;

import java.lang.foreign.MemorySegment;
import org.crabro.document.FieldType;

/**
 * Makes columns of the bytes of a block, which {@link BlockLayout} tells of. Nothing is copied.
 *
 * @param block all of it, its chunks checked
 */
record ColumnReader(MemorySegment block, BlockOrigin origin) {
    /**
     * Returns the values that lie from {@code offset} on.
     *
     * @param length of the values, without a bitmap
     * @param count how many values there are
     * @throws CorruptRunException if they cannot lie there
     */
    Column column(
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
                    throw new IllegalStateException("checked when the block was opened: " + type);
                }
                yield arrays(values, element, offset, count, presence);
            }
            case TENSOR -> {
                if (!(type instanceof FieldType.TensorOf(var tensor))) {
                    throw new IllegalStateException("checked when the block was opened: " + type);
                }
                yield new Column.DenseTensors(tensor, values, presence);
            }
            case KEYS, TIMESTAMPS, TOMBSTONES, TOKEN_DICTIONARY, TOKEN_NUMBERS ->
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

    private Column arrays(
            MemorySegment values, FieldType element, long offset, int count, Presence presence) {
        long firsts = 4L * (count + 1);
        long child = BlockLayout.childOffset(firsts);
        checkFits(offset, child, values.byteSize());
        int elements = values.get(INT, firsts - Integer.BYTES);
        int code = BlockLayout.childEncoding(values, child);
        int length = BlockLayout.childLength(values, child);
        if (!ChunkEncoding.isCode(code) || !ChunkEncoding.ofCode(code).isFor(element)) {
            throw origin.corrupt(
                    offset + child, "elements of type " + element.text(), "encoding " + code);
        }
        checkFits(offset, child + length, values.byteSize());
        Column column =
                column(
                        element,
                        ChunkEncoding.ofCode(code),
                        offset + child,
                        length,
                        elements,
                        new Presence.Every());
        return new Column.Arrays(values.asSlice(0, firsts), column, presence);
    }

    private void checkFits(long offset, long needed, long length) {
        if (needed > length) {
            throw origin.corrupt(
                    offset, "at least %d bytes".formatted(needed), "%d bytes".formatted(length));
        }
    }
}
