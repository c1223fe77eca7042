package org.crabro.content.storage.block.column;

import static org.crabro.content.storage.layout.BlockLayout.INT;

import java.lang.foreign.MemorySegment;
import org.crabro.content.storage.layout.BlockBytes;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.ChunkEncoding;

/** Arrays: the index of each value's first element, then all elements. */
public final class ArrayValuesWriter implements ValuesWriter {
    /** The index of the first element of each value so far. */
    private final BlockBytes firsts = new BlockBytes(64);

    private final ValuesWriter elements;
    private int count;

    public ArrayValuesWriter(ValuesWriter elements) {
        this.elements = elements;
    }

    @Override
    public long add(MemorySegment encoded, long offset) {
        firsts.putInt(elements.count());
        count++;
        int added = encoded.get(INT, offset);
        long at = offset + Integer.BYTES;
        for (int i = 0; i < added; i++) {
            at = elements.add(encoded, at);
        }
        return at;
    }

    @Override
    public void fillTo(int wanted) {
        for (; count < wanted; count++) {
            firsts.putInt(elements.count());
        }
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public void prepare() {
        firsts.putInt(elements.count());
        elements.prepare();
    }

    @Override
    public ChunkEncoding encoding() {
        return ChunkEncoding.ARRAY;
    }

    @Override
    public long size() {
        return BlockLayout.childOffset(firsts.position()) + elements.size();
    }

    @Override
    public void writeTo(BlockBytes out) {
        out.put(firsts);
        elements.writeAsChild(out, firsts.position());
    }

    @Override
    public void clear() {
        firsts.clear();
        elements.clear();
        count = 0;
    }
}
