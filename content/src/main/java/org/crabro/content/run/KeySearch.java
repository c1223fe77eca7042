package org.crabro.content.run;

import java.lang.foreign.MemorySegment;

/**
 * Looks for a group among the keys of a block in a file, reading little of them: places first, then
 * the texts of the first and the last row that have the group's place.
 *
 * @param bytes the block; its header and directory are in memory
 * @param chunk of the keys
 */
record KeySearch(MemorySegment bytes, BlockOrigin origin, int rows, int chunk) {
    /** Of up to as many rows all texts are read at once: they are going to be hits. */
    private static final int FEW_ROWS = 64;

    RowRange rowsIn(KeyBounds bounds) {
        long entry = BlockLayout.entry(chunk);
        long start = bytes.get(BlockLayout.INT, entry + BlockLayout.CHUNK_OFFSET);
        long length = bytes.get(BlockLayout.INT, entry + BlockLayout.CHUNK_LENGTH);
        var keys = new KeyColumn(bytes.asSlice(start, length), rows);
        var wanted = new Extents();
        wanted.add(origin.offset() + start, origin.offset() + start + 8L * rows);
        origin.load(wanted);
        int from = keys.firstOfPlace(bounds.place(), false);
        int to = keys.firstOfPlace(bounds.place(), true);
        if (from == to) {
            return new RowRange(from, to);
        }
        if (to - from > FEW_ROWS) {
            load(from, from + 1, to - 1, to);
            if (bounds.compareGroup(keys, from) == 0 && bounds.compareGroup(keys, to - 1) == 0) {
                return new RowRange(from, to);
            }
        }
        load(from, to, from, to);
        int first = keys.firstOfGroup(bounds, from, to, false);
        return new RowRange(first, keys.firstOfGroup(bounds, first, to, true));
    }

    private void load(int from, int to, int otherFrom, int otherTo) {
        var some = new BlockExtents(bytes, origin.offset(), rows, from, to);
        var others = new BlockExtents(bytes, origin.offset(), rows, otherFrom, otherTo);
        var wanted = new Extents();
        for (int step = 0; step < BlockExtents.STEPS; step++) {
            wanted.clear();
            some.add(chunk, step, wanted);
            others.add(chunk, step, wanted);
            wanted.join();
            origin.load(wanted);
        }
    }
}
