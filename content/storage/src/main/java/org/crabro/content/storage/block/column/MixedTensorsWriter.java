package org.crabro.content.storage.block.column;

import static org.crabro.content.storage.layout.BlockLayout.INT;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.crabro.content.storage.layout.BlockBytes;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.ChunkEncoding;

/**
 * Tensors with mapped dimensions: the index of each value's first subspace, a column of labels per
 * mapped dimension, then the cells of all subspaces.
 */
public final class MixedTensorsWriter implements ValuesWriter {
    /** The index of the first subspace of each value so far. */
    private final BlockBytes firsts = new BlockBytes(64);

    private final List<ValuesWriter> labels;
    private final ValuesWriter cells;
    private int count;

    /**
     * @param labels one writer of strings per mapped dimension
     * @param cells the writer of the cells; a value is one subspace
     */
    public MixedTensorsWriter(List<ValuesWriter> labels, ValuesWriter cells) {
        this.labels = List.copyOf(labels);
        this.cells = cells;
    }

    @Override
    public long add(MemorySegment encoded, long offset) {
        firsts.putInt(cells.count());
        count++;
        int added = encoded.get(INT, offset);
        long at = offset + Integer.BYTES;
        for (int dimension = 0; dimension < labels.size(); dimension++) {
            ValuesWriter ofDimension = labels.get(dimension);
            for (int i = 0; i < added; i++) {
                at = ofDimension.add(encoded, at);
            }
        }
        for (int i = 0; i < added; i++) {
            at = cells.add(encoded, at);
        }
        return at;
    }

    @Override
    public void fillTo(int wanted) {
        for (; count < wanted; count++) {
            firsts.putInt(cells.count());
        }
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public void prepare() {
        firsts.putInt(cells.count());
        labels.forEach(ValuesWriter::prepare);
        cells.prepare();
    }

    @Override
    public ChunkEncoding encoding() {
        return ChunkEncoding.MIXED_TENSOR;
    }

    @Override
    public long size() {
        return BlockLayout.childOffset(labelsEnd(labels.size())) + cells.size();
    }

    /** Returns the end of the first {@code dimensions} columns of labels. */
    private long labelsEnd(int dimensions) {
        long end = firsts.position();
        for (int i = 0; i < dimensions; i++) {
            end = BlockLayout.childOffset(end) + labels.get(i).size();
        }
        return end;
    }

    @Override
    public void writeTo(BlockBytes out) {
        out.put(firsts);
        for (int i = 0; i < labels.size(); i++) {
            labels.get(i).writeAsChild(out, labelsEnd(i));
        }
        cells.writeAsChild(out, labelsEnd(labels.size()));
    }

    @Override
    public void clear() {
        firsts.clear();
        labels.forEach(ValuesWriter::clear);
        cells.clear();
        count = 0;
    }
}
