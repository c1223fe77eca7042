package org.crabro.content.storage.block.column;

import static org.crabro.content.storage.layout.BlockLayout.INT;

import java.lang.foreign.MemorySegment;
import org.crabro.content.storage.layout.BlockBytes;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.ChunkEncoding;

/** Weighted sets and maps: like arrays, with two columns of the same number of elements. */
public final class PairValuesWriter implements ValuesWriter {
    private final ChunkEncoding encoding;

    /** The index of the first element of each value so far. */
    private final BlockBytes firsts = new BlockBytes(64);

    private final ValuesWriter keys;
    private final ValuesWriter values;
    private int count;

    public PairValuesWriter(ChunkEncoding encoding, ValuesWriter keys, ValuesWriter values) {
        this.encoding = encoding;
        this.keys = keys;
        this.values = values;
    }

    @Override
    public long add(MemorySegment encoded, long offset) {
        firsts.putInt(keys.count());
        count++;
        int added = encoded.get(INT, offset);
        long at = offset + Integer.BYTES;
        for (int i = 0; i < added; i++) {
            at = values.add(encoded, keys.add(encoded, at));
        }
        return at;
    }

    @Override
    public void fillTo(int wanted) {
        for (; count < wanted; count++) {
            firsts.putInt(keys.count());
        }
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public void prepare() {
        firsts.putInt(keys.count());
        keys.prepare();
        values.prepare();
    }

    @Override
    public ChunkEncoding encoding() {
        return encoding;
    }

    @Override
    public long size() {
        return BlockLayout.childOffset(keysEnd()) + values.size();
    }

    private long keysEnd() {
        return BlockLayout.childOffset(firsts.position()) + keys.size();
    }

    @Override
    public void writeTo(BlockBytes out) {
        out.put(firsts);
        keys.writeAsChild(out, firsts.position());
        values.writeAsChild(out, keysEnd());
    }

    @Override
    public void clear() {
        firsts.clear();
        keys.clear();
        values.clear();
        count = 0;
    }
}
