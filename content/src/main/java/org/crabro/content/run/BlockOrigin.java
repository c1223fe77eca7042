package org.crabro.content.run;

/**
 * Where the bytes of a block come from, for errors, and which of its parts were checked since they
 * were mapped. Parts are numbered: 0 the header, {@code 1 + i} the chunk of directory entry {@code
 * i}.
 */
final class BlockOrigin {
    private static final byte[] NOTHING = new byte[0];

    private final String file;
    private final long offset;
    private final byte[] checked;
    private final int first;

    private BlockOrigin(String file, long offset, byte[] checked, int first) {
        this.file = file;
        this.offset = offset;
        this.checked = checked;
        this.first = first;
    }

    /** Bytes that this process wrote into memory: nothing is to be checked. */
    static BlockOrigin memory() {
        return new BlockOrigin("block in memory", 0, NOTHING, 0);
    }

    /**
     * Bytes of a file.
     *
     * @param offset of the block in the file
     * @param checked a byte per part of all the file's blocks, not 0 where it was checked. Threads
     *     may write it at once: what is lost is a check done twice
     * @param first the index in {@code checked} of part 0
     */
    static BlockOrigin file(String file, long offset, byte[] checked, int first) {
        return new BlockOrigin(file, offset, checked, first);
    }

    /** Returns how many parts a block of a type with {@code fields} has at most. */
    static int parts(int fields) {
        return 1 + chunksMax(fields);
    }

    /** Returns how many chunks a block of a type with {@code fields} has at most. */
    static int chunksMax(int fields) {
        return 3 + ChunkEncoding.PER_FIELD_MAX * fields;
    }

    boolean isChecked(int part) {
        return checked.length == 0 || checked[first + part] != 0;
    }

    void setChecked(int part) {
        checked[first + part] = 1;
    }

    CorruptRunException corrupt(long offsetInBlock, String expected, String found) {
        return new CorruptRunException(file, offset + offsetInBlock, expected, found);
    }
}
