package org.crabro.content.storage.layout;

/**
 * The layout of a run. Little-endian; every part starts at a multiple of 64 bytes.
 *
 * <pre>
 *   header     blocks of a type, of the next …   sections                     footer
 *   +----------+-------+-------+---+-------+-------+------------+-----+--------+--------+
 *   | 64 bytes | block | block | … | block | index | tombstones |  …  | filter | 192 B  |
 *   +----------+-------+-------+---+-------+-------+------------+-----+--------+--------+
 *
 *   header   0 magic: i64 | 8 version: u32 | 12 zero | 16 run number: i64 | 24 crc of all before
 *
 *   index    per type written with, in the order of its blocks:
 *            fingerprint: i64 | block count: u32 | name length: u32 | name, padded to 8
 *            | of each block its offset in the file: i64, its length: u32, its row count: u16, flags: u16
 *            | the first key of each block: groups and keys, see {@link KeyLayout}, padded to 8
 *
 *   tombstones   block: u32 | row: u32       of every tombstone, ascending
 *   supersedes   run: i64 | block: u32 | row: u32   of every row replaced, ascending
 *   groups       of every group tombstone, by place and text, its place: i64, timestamp: i64,
 *                the offset of its text in this part: u32 and its length: u32 | the texts
 *   removed      run: i64 | first row's block: u32, row: u32 | end, exclusive: block: u32, row: u32
 *                of rows of older runs that group tombstones remove, ascending
 *   filter       of the keys of all rows, see {@code RunFilter}
 *
 *   footer   0 index offset | 8 index length | 16 tombstones offset | 24 tombstone count
 *            | 32 supersedes offset | 40 supersedes count | 48 row count | 56 file length
 *            | 64 lowest timestamp of a tombstone | 72 filter offset | 80 filter length: i64 each
 *            | 88 block count | 92 type count: u32 each
 *            | 96 groups offset | 104 groups length | 112 removed offset: i64 each
 *            | 120 group count | 124 removed count | 128 index crc | 132 tombstones crc
 *            | 136 supersedes crc | 140 groups crc | 144 removed crc | 148 filter crc
 *            | 152 version | 156 crc of all before | 160 magic: u32 each | zeros
 * </pre>
 *
 * <p>Blocks are numbered from 0 over all types of the file; {@code block} above is that number. The
 * footer comes last because a run is written sequentially, once.
 */
public final class RunLayout {
    private RunLayout() {}

    /** {@code CRABRUN} and a zero as a little-endian number. */
    public static final long MAGIC = 0x004e_5552_4241_5243L;

    public static final int VERSION = 1;

    /** Every part starts at a multiple of this many bytes. */
    public static final int ALIGNMENT = 64;

    public static final int HEADER_SIZE = 64;
    public static final int MAGIC_OFFSET = 0;
    public static final int VERSION_OFFSET = 8;
    public static final int NUMBER_OFFSET = 16;
    public static final int HEADER_CRC_OFFSET = 24;

    public static final int TYPE_SIZE = 16;
    public static final int TYPE_FINGERPRINT = 0;
    public static final int TYPE_BLOCKS = 8;
    public static final int TYPE_NAME_LENGTH = 12;

    public static final int EXTENT_SIZE = 16;
    public static final int EXTENT_OFFSET = 0;
    public static final int EXTENT_LENGTH = 8;
    public static final int EXTENT_ROWS = 12;
    public static final int EXTENT_FLAGS = 14;

    /** The flag of a block whose first group also has rows in the previous block. */
    public static final int GROUP_GOES_ON = 1;

    /** The flag of a block with rows of several groups. */
    public static final int SEVERAL_GROUPS = 2;

    /** Parts of the index start at multiples of this many bytes. */
    public static final int INDEX_ALIGNMENT = 8;

    public static final int TOMBSTONE_SIZE = 8;
    public static final int SUPERSEDED_SIZE = 16;

    public static final int GROUP_SIZE = 24;
    public static final int GROUP_PLACE = 0;
    public static final int GROUP_TIMESTAMP = 8;
    public static final int GROUP_TEXT = 16;
    public static final int GROUP_TEXT_LENGTH = 20;

    public static final int REMOVED_SIZE = 24;
    public static final int REMOVED_FROM = 8;
    public static final int REMOVED_TO = 16;

    public static final int FOOTER_SIZE = 192;
    public static final int INDEX_OFFSET = 0;
    public static final int INDEX_LENGTH = 8;
    public static final int TOMBSTONES_OFFSET = 16;
    public static final int TOMBSTONES_COUNT = 24;
    public static final int SUPERSEDES_OFFSET = 32;
    public static final int SUPERSEDES_COUNT = 40;
    public static final int ROW_COUNT = 48;
    public static final int FILE_LENGTH = 56;
    public static final int FIRST_REMOVAL = 64;
    public static final int FILTER_OFFSET = 72;
    public static final int FILTER_LENGTH = 80;
    public static final int BLOCK_COUNT = 88;
    public static final int TYPE_COUNT = 92;
    public static final int GROUPS_OFFSET = 96;
    public static final int GROUPS_LENGTH = 104;
    public static final int REMOVED_OFFSET = 112;
    public static final int GROUP_COUNT = 120;
    public static final int REMOVED_COUNT = 124;
    public static final int INDEX_CRC = 128;
    public static final int TOMBSTONES_CRC = 132;
    public static final int SUPERSEDES_CRC = 136;
    public static final int GROUPS_CRC = 140;
    public static final int REMOVED_CRC = 144;
    public static final int FILTER_CRC = 148;
    public static final int FOOTER_VERSION = 152;
    public static final int FOOTER_CRC = 156;
    public static final int FOOTER_MAGIC_OFFSET = 160;

    /** {@code CRBF} as a little-endian number. */
    public static final int FOOTER_MAGIC = 0x46425243;

    /**
     * Instead of the number of a superseded row: any row of the block may be superseded. The keys
     * of the block could not be read when the run was written.
     */
    public static final int ANY_ROW = -1;

    /**
     * Instead of the block of a superseded row that is {@link #ANY_ROW}: the row may be in any
     * block. The older run was set aside when this one was written.
     */
    public static final int ANY_BLOCK = -1;

    /** Returns a number that orders the rows of a run by block, then by row. */
    public static long address(int block, int row) {
        return ((long) block << 32) | Integer.toUnsignedLong(row);
    }

    /** Returns the block of {@code address}. */
    public static int block(long address) {
        return (int) (address >>> 32);
    }

    /** Returns the row, in its block, of {@code address}. */
    public static int row(long address) {
        return (int) address;
    }
}
