package org.crabro.content.storage.layout;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The layout of a block. Little-endian; a block starts at a multiple of 64 bytes and is padded with
 * zeros to one.
 *
 * <pre>
 *   0       4         8        12     16            24      28      32
 *   +-------+---------+--------+------+-------------+-------+-------+-----------+-----------+--------+---
 *   | magic | version | length | rows | fingerprint | chunk | crc   | directory | page crcs | chunk  | …
 *   | CRBK  |         |        |      | of the type | count | 32c   | 32 B each | u32 each  | padded |
 *   +-------+---------+--------+------+-------------+-------+-------+-----------+-----------+--------+---
 *
 *   directory entry
 *   0          1       2       4        8        12     16    24    32
 *   +----------+-------+-------+--------+--------+------+-----+-----+
 *   | encoding | flags | field | offset | length | 0    | min | max |
 *   | u8       | u8    | u16   | u32    | u32    | u32  | i64 | i64 |
 *   +----------+-------+-------+--------+--------+------+-----+-----+
 *
 *   chunk
 *   +-------------------------+------------------------+
 *   | values, see below       | bitmap of rows present |
 *   +-------------------------+------------------------+
 * </pre>
 *
 * <p>The header's crc covers the bytes before it, the directory and the page crcs. A block covers
 * parts of several pages of the file, of {@value #PAGE} bytes each. For each of them, a crc covers
 * the bytes of the block in the page that are after the page crcs. Reads from the device are whole
 * pages, and only these pages are checked. {@code length} is the size of the block with its
 * padding. A chunk's {@code offset} counts from the start of the block. It is a multiple of 64 if
 * the chunk has 4 KiB or more, so that wide columns load whole cache lines, and otherwise a
 * multiple of 8. The bitmap exists only if some rows have no value; then bit 0 of the flags is set.
 * It is the last {@code (rows + 7) / 8} bytes of the chunk; the bit of a row is bit {@code row % 8}
 * of byte {@code row / 8}.
 *
 * <p>{@code min} and {@code max} are those of the numbers or timestamps in the chunk, so that a
 * query can skip the block after reading its first page. Whole numbers and booleans are stored as
 * they are, floats and doubles as the bits of a double. Rows without a value and NaN are ignored;
 * if no number is left, min and max are the largest and the smallest number of the type. Other
 * chunks have 0 in both.
 *
 * <pre>
 *   groups, keys see {@link KeyLayout}
 *   timestamps   per row the difference to the smallest: 0, 1, 2, 4, 6 or 8 bytes
 *   tombstones   bitmap of the rows that are tombstones
 *   numbers      4 or 8 bytes per value
 *   booleans     1 byte per value
 *   tensors      cells of a value, in the type's cell type
 *   text         starts: u32 per value and one more | UTF-8
 *   coded text   count of distinct texts: u32 | starts: u32 per distinct text and one more
 *                | code per value: u8, u16 if more than 256 are distinct, u32 if more than 65,536
 *                | UTF-8 of the distinct texts, in the order of their bytes
 *   framed text  starts: u32 per value and one more | count of frames: u32
 *                | per frame the end of its texts: u32, and the end of its bytes: u32 | frames
 *   arrays       firsts: u32 per value and one more | child: the elements of all values
 *   weighted     firsts: u32 per value and one more | child: the elements of all values
 *   sets         | child: their weights, int
 *   maps         firsts: u32 per value and one more | child: the keys of all values
 *                | child: their values
 *   structs      per field of the type, in order, a child: its values; encoding 0 and length 0 if
 *                no struct has the field
 *   mixed        firsts: u32 per value and one more | per mapped dimension a child: the labels of all
 *   tensors      subspaces, text | child: the cells of all subspaces, tensor
 *   inverse      f32 per row, see InverseLengths; next to the tensors of the field
 *   lengths
 *
 *   child        zeros up to a multiple of 8 | encoding: u8 | flags: u8 | 0: u16 | length: u32
 *                | length bytes as in a chunk: values, and the bitmap if flag bit 0 is set
 * </pre>
 *
 * <p>A frame is an LZ4 block of whole texts, or the uncompressed texts if they are not larger.
 * Texts after the last frame are empty.
 */
public final class BlockLayout {
    private BlockLayout() {}

    public static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** {@code CRBK} as a little-endian number. */
    public static final int MAGIC = 0x4b425243;

    public static final int VERSION = 1;

    /** The maximum number of rows of a block. */
    public static final int ROWS_MAX = 1_024;

    /** The unit of the crcs: the smallest read from the device. */
    public static final int PAGE = 4 << 10;

    /** Blocks start at multiples of this many bytes, and so do wide chunks. */
    public static final int ALIGNMENT = 64;

    public static final int MAGIC_OFFSET = 0;
    public static final int VERSION_OFFSET = 4;
    public static final int LENGTH_OFFSET = 8;
    public static final int ROWS_OFFSET = 12;
    public static final int FINGERPRINT_OFFSET = 16;
    public static final int CHUNK_COUNT_OFFSET = 24;
    public static final int CRC_OFFSET = 28;
    public static final int DIRECTORY_OFFSET = 32;

    static final int ENTRY_SIZE = 32;
    public static final int ENCODING_OFFSET = 0;
    public static final int FLAGS_OFFSET = 1;
    public static final int FIELD_OFFSET = 2;
    public static final int CHUNK_OFFSET = 4;
    public static final int CHUNK_LENGTH = 8;
    public static final int CHUNK_MIN = 16;
    public static final int CHUNK_MAX = 24;

    /** The flag of a chunk whose values are followed by a bitmap. */
    public static final int BITMAP_FLAG = 1;

    /** The field of a chunk without a field. */
    public static final int NO_FIELD = 0xffff;

    /** The encoding of a child without values. */
    public static final int NO_CHILD = 0;

    public static final int FRAME_TEXT = 0;
    public static final int FRAME_END = 4;

    private static final int FRAME_SIZE = 8;
    private static final int CHILD_HEADER = 8;
    private static final int WIDE_CHUNK = PAGE;
    private static final int NARROW_ALIGNMENT = 8;

    /** Returns the offset of directory entry {@code chunk}. */
    public static int entry(int chunk) {
        return DIRECTORY_OFFSET + chunk * ENTRY_SIZE;
    }

    /** Returns whether the values of the chunk of a directory entry are followed by a bitmap. */
    public static boolean hasBitmap(MemorySegment block, int entry) {
        return (block.get(ValueLayout.JAVA_BYTE, entry + FLAGS_OFFSET) & BITMAP_FLAG) != 0;
    }

    /** Returns the alignment of a chunk of {@code length} bytes. */
    public static int alignment(int length) {
        return length >= WIDE_CHUNK ? ALIGNMENT : NARROW_ALIGNMENT;
    }

    /**
     * Returns the number of pages of a file that a block covers, at least partly.
     *
     * @param offset of the block in the file
     */
    public static int pages(long offset, long length) {
        return (int) ((offset + length - 1) / PAGE - offset / PAGE) + 1;
    }

    /** Returns the offset of a page's crc; pages are counted from the block's first page. */
    public static int pageCrc(int chunkCount, int page) {
        return entry(chunkCount) + page * Integer.BYTES;
    }

    /** Returns the minimum offset of the first chunk. */
    public static int headerSize(int chunkCount, int pages) {
        return pageCrc(chunkCount, pages);
    }

    /**
     * Returns the crc of the header of {@code block}, of its directory and of the page crcs.
     *
     * @param headerSize the end of the covered bytes
     */
    public static int headerCrc(MemorySegment block, int headerSize) {
        var crc = new CRC32C();
        crc.update(block.asSlice(0, CRC_OFFSET).asByteBuffer());
        crc.update(block.asSlice(DIRECTORY_OFFSET, headerSize - DIRECTORY_OFFSET).asByteBuffer());
        return (int) crc.getValue();
    }

    /** Returns the crc of {@code bytes}. */
    public static int crc(MemorySegment bytes) {
        var crc = new CRC32C();
        crc.update(bytes.asByteBuffer());
        return (int) crc.getValue();
    }

    /** Returns the UTF-8 text of the bytes from {@code from} to {@code to}, exclusive. */
    public static String text(MemorySegment bytes, long from, long to) {
        return new String(
                bytes.asSlice(from, to - from).toArray(ValueLayout.JAVA_BYTE),
                StandardCharsets.UTF_8);
    }

    /** Returns the size of a bitmap of {@code rows}, in bytes. */
    public static int bitmapSize(int rows) {
        return (rows + 7) >>> 3;
    }

    /** Returns whether the bit of {@code row} is set in the bitmap at {@code offset}. */
    public static boolean bit(MemorySegment bytes, long offset, int row) {
        return (bytes.get(ValueLayout.JAVA_BYTE, offset + (row >>> 3)) >>> (row & 7) & 1) != 0;
    }

    /** Returns the offset of the codes of a coded text with {@code distinct} texts. */
    public static long codesOffset(int distinct) {
        return 4L * distinct + 8;
    }

    /** Returns the size of a code in bytes, for {@code distinct} texts. */
    public static int codeSize(int distinct) {
        if (distinct <= 1 << Byte.SIZE) {
            return Byte.BYTES;
        }
        return distinct <= 1 << Short.SIZE ? Short.BYTES : Integer.BYTES;
    }

    /** Returns the offset of the frames of a framed text, relative to the count of frames. */
    public static long framesOffset(int count) {
        return frame(count);
    }

    /** Returns the offset of the index entry of a frame, relative to the count of frames. */
    public static long frame(int frame) {
        return 4 + (long) frame * FRAME_SIZE;
    }

    /** Returns the offset of the values of a child after {@code offset}. */
    public static long childOffset(long offset) {
        return (offset + CHILD_HEADER - 1 & -CHILD_HEADER) + CHILD_HEADER;
    }

    /**
     * Writes the header of a child.
     *
     * @param offset the number of bytes of the parent's values written so far
     * @param encoding its code, or {@link #NO_CHILD}
     * @param size of the child, with a bitmap
     */
    public static void writeChildHeader(
            BlockBytes out, long offset, int encoding, boolean hasBitmap, long size) {
        out.putZeros((int) (childOffset(offset) - CHILD_HEADER - offset));
        out.putByte(encoding);
        out.putByte(hasBitmap ? BITMAP_FLAG : 0);
        out.putShort(0);
        out.putInt(Math.toIntExact(size));
    }

    /** Returns whether the values of the child at {@code offset} are followed by a bitmap. */
    public static boolean hasChildBitmap(MemorySegment bytes, long offset) {
        int flags = bytes.get(ValueLayout.JAVA_BYTE, offset - CHILD_HEADER + 1);
        return (flags & BITMAP_FLAG) != 0;
    }

    /** Returns the code of the encoding of the child whose values start at {@code offset}. */
    public static int childEncoding(MemorySegment bytes, long offset) {
        return bytes.get(ValueLayout.JAVA_BYTE, offset - CHILD_HEADER);
    }

    /** Returns the length of the child whose values start at {@code offset}, in bytes. */
    public static int childLength(MemorySegment bytes, long offset) {
        return bytes.get(INT, offset - Integer.BYTES);
    }
}
