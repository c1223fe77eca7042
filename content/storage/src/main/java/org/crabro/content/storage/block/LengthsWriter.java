package org.crabro.content.storage.block;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.crabro.content.storage.block.column.InverseLengths;
import org.crabro.content.storage.layout.BlockBytes;
import org.crabro.content.storage.layout.ChunkEncoding;
import org.crabro.tensor.TensorType;

/** Collects the inverse lengths of the vectors of a field. */
final class LengthsWriter implements DerivedWriter {
    private final int field;
    private final TensorType type;
    private final BlockBytes lengths = new BlockBytes(16 * InverseLengths.SIZE);

    /**
     * @param field its index in the type
     */
    LengthsWriter(int field, TensorType type) {
        this.field = field;
        this.type = type;
    }

    @Override
    public boolean isBeforeValues() {
        return true;
    }

    @Override
    public void add(int row, MemorySegment encoded, long offset) {
        fillTo(row);
        float inverse = InverseLengths.of(type.cellType(), encoded, offset, type.cellCount());
        lengths.putInt(Float.floatToRawIntBits(inverse));
    }

    @Override
    public void copy(
            int row, MemorySegment encoded, long offset, EncodedBlock source, int sourceRow) {
        Optional<MemorySegment> stored = source.inverseLengths(field);
        if (stored.isPresent()) {
            fillTo(row);
            lengths.put(stored.get(), (long) sourceRow * InverseLengths.SIZE, InverseLengths.SIZE);
        } else {
            add(row, encoded, offset);
        }
    }

    private void fillTo(int rows) {
        lengths.putZeros(rows * InverseLengths.SIZE - lengths.position());
    }

    @Override
    public void prepare(int rows, BlockChunks chunks) {
        if (lengths.position() > 0) {
            fillTo(rows);
            chunks.plan(lengths.position());
        }
    }

    @Override
    public void writeTo(BlockChunks chunks) {
        if (lengths.position() > 0) {
            chunks.beginChunk(lengths.position()).put(lengths);
            chunks.endChunk(ChunkEncoding.INVERSE_LENGTHS, field, false);
            lengths.clear();
        }
    }
}
