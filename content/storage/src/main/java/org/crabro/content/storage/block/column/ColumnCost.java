package org.crabro.content.storage.block.column;

import static org.crabro.content.storage.layout.BlockLayout.INT;

import java.lang.foreign.MemorySegment;
import org.crabro.document.HeapCost;

/** Computes the heap size of decoded column values. */
public final class ColumnCost {
    private ColumnCost() {}

    /**
     * Returns the maximum heap size of the values {@code from} to {@code to}, in bytes of {@link
     * HeapCost}.
     *
     * @param to exclusive
     */
    public static long of(Column column, int from, int to) {
        long count = (long) to - from;
        return switch (column) {
            case Column.Numbers _, Column.Booleans _ -> HeapCost.NUMBER * count;
            case Column.Texts texts -> HeapCost.text(0) * count + textCost(texts, from, to);
            case Column.Arrays arrays -> {
                int first = arrays.first(from);
                int end = arrays.first(to);
                yield HeapCost.array(0) * count
                        + HeapCost.array(end - first)
                        + of(arrays.elements(), first, end);
            }
            case Column.WeightedSets sets -> {
                int first = sets.first(from);
                int end = sets.first(to);
                yield maps(count, end - first)
                        + of(sets.elements(), first, end)
                        + HeapCost.NUMBER * (end - first);
            }
            case Column.Maps maps -> {
                int first = maps.first(from);
                int end = maps.first(to);
                yield maps(count, end - first)
                        + of(maps.keys(), first, end)
                        + of(maps.values(), first, end);
            }
            case Column.Structs structs -> {
                long sum = 0;
                for (var field : structs.fields()) {
                    sum += maps(0, field.isPresent() ? count : 0);
                    sum += field.isPresent() ? of(field.get(), from, to) : 0;
                }
                yield HeapCost.map(0) * count + sum;
            }
            case Column.DenseTensors tensors ->
                    HeapCost.dense(tensors.type().subspaceSize()) * count;
            case Column.MixedTensors tensors -> {
                int first = tensors.first(from);
                int end = tensors.first(to);
                long labelBytes = 0;
                for (Column.Texts labels : tensors.labels()) {
                    labelBytes += bytes(labels, first, end);
                }
                yield HeapCost.mixed(0, 0, 0, 0) * count
                        + HeapCost.mixed(
                                end - first,
                                tensors.type().subspaceSize(),
                                tensors.labels().size(),
                                labelBytes);
            }
        };
    }

    private static long maps(long count, long entries) {
        return HeapCost.map(0) * count + HeapCost.map(entries);
    }

    private static long textCost(Column.Texts texts, int from, int to) {
        return HeapCost.text(bytes(texts, from, to)) - HeapCost.text(0);
    }

    /** Returns the decompressed bytes of texts. */
    private static long bytes(Column.Texts texts, int from, int to) {
        return switch (texts) {
            case Column.RawTexts(var starts, _, _) -> between(starts, from, to);
            case Column.FramedTexts(var starts, _, _) -> between(starts, from, to);
            case Column.CodedTexts coded -> {
                long sum = 0;
                for (int i = from; i < to; i++) {
                    int code = coded.code(i);
                    sum += between(coded.starts(), code, code + 1);
                }
                yield sum;
            }
        };
    }

    private static long between(MemorySegment starts, int from, int to) {
        return (long) starts.get(INT, 4L * to) - starts.get(INT, 4L * from);
    }
}
