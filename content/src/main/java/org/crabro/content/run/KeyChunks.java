package org.crabro.content.run;

import java.util.BitSet;
import java.util.List;
import org.crabro.protocol.encoding.Row;

/** The chunks of a block that belong to no field: keys, timestamps and tombstone marks. */
final class KeyChunks {
    private KeyChunks() {}

    /** Returns the bytes of a key column of {@code keys}. */
    static int keysSize(List<SortKey> keys) {
        long size = BlockLayout.idsOffset(keys.size());
        for (SortKey key : keys) {
            size += key.text().length;
        }
        return Math.toIntExact(size);
    }

    /** Writes a key column, laid out as {@link BlockLayout} tells. */
    static void writeKeys(List<SortKey> keys, BlockBytes out) {
        for (SortKey key : keys) {
            out.putLong(key.place());
        }
        for (SortKey key : keys) {
            out.putLong(key.document());
        }
        for (SortKey key : keys) {
            out.putInt(key.groupFrom());
            out.putInt(key.groupTo());
        }
        int start = 0;
        out.putInt(start);
        for (SortKey key : keys) {
            start += key.text().length;
            out.putInt(start);
        }
        for (SortKey key : keys) {
            out.put(key.text());
        }
    }

    /** The keys of a block. */
    record Keys(List<SortKey> keys, ChunkPresence presence) implements Chunk {
        @Override
        public ChunkEncoding encoding() {
            return ChunkEncoding.KEYS;
        }

        @Override
        public int field() {
            return BlockLayout.NO_FIELD;
        }

        @Override
        public int size() {
            return keysSize(keys);
        }

        @Override
        public void writeTo(BlockBytes out) {
            writeKeys(keys, out);
        }
    }

    /** The timestamps of a block. */
    record Timestamps(List<Row> rows, ChunkPresence presence) implements Chunk {
        @Override
        public ChunkEncoding encoding() {
            return ChunkEncoding.TIMESTAMPS;
        }

        @Override
        public int field() {
            return BlockLayout.NO_FIELD;
        }

        @Override
        public int size() {
            return 8 * rows.size();
        }

        @Override
        public void writeTo(BlockBytes out) {
            for (Row row : rows) {
                out.putLong(row.timestamp());
            }
        }
    }

    /**
     * The tombstones of a block. Unlike a field's, their bitmap is the value itself, and a block
     * without tombstones has no such chunk.
     */
    record Tombstones(BitSet tombstones, ChunkPresence presence) implements Chunk {
        @Override
        public ChunkEncoding encoding() {
            return ChunkEncoding.TOMBSTONES;
        }

        @Override
        public int field() {
            return BlockLayout.NO_FIELD;
        }

        @Override
        public int size() {
            return BlockLayout.bitmapSize(presence.rows());
        }

        @Override
        public void writeTo(BlockBytes out) {
            int start = out.position();
            out.putZeros(size());
            tombstones.stream().forEach(row -> out.setBit(start, row));
        }
    }
}
