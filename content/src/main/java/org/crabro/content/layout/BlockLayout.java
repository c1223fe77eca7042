package org.crabro.content.layout;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * Where the bytes of a block lie. Little-endian; a block starts at a multiple of 64 bytes and is
 * padded with zeros to one.
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
 * <p>The header's crc covers what stands before it, the directory and the page crcs. Of each page
 * of the file, {@value #PAGE} bytes, that the block has a part of, a crc covers that part as far as
 * it lies behind the page crcs: whoever reads some bytes reads whole pages, and checks just those.
 * {@code length} is the whole block with its padding. A chunk's {@code offset} counts from the
 * block's start; it is a multiple of 64 where the chunk has 4 KiB or more, so that wide columns
 * load whole cache lines, and of 8 elsewhere. The bitmap stands only where rows lack a value, which
 * bit 0 of the flags tells: the last {@code (rows + 7) / 8} bytes of the chunk, bit {@code row % 8}
 * of byte {@code row / 8}.
 *
 * <p>{@code min} and {@code max} are those of the numbers or timestamps in the chunk, so that a
 * block can be passed over after a look at its first page: whole numbers and booleans as they are,
 * floats and doubles as the bits of a double. Rows without a value and values that are not a number
 * are left out; where no number is left, they are the largest and the smallest of the kind. Other
 * chunks have 0 in both.
 *
 * <pre>
 *   groups, keys see {@link KeyLayout}
 *   timestamps   per row how much later it is than the smallest: 0, 1, 2, 4, 6 or 8 bytes
 *   tombstones   bitmap of the rows that are one
 *   numbers      4 or 8 bytes per value
 *   booleans     1 byte per value
 *   tensors      cells of a value, in the type's cell type
 *   text         starts: u32 per value and one more | UTF-8
 *   coded text   count of distinct texts: u32 | starts: u32 per distinct text and one more
 *                | code per value: u8, u16 where more than 256 are distinct, u32 where more than 65,536
 *                | UTF-8 of the distinct texts, in the order of their bytes
 *   framed text  starts: u32 per value and one more | count of frames: u32
 *                | per frame the text behind its last: u32, and where its bytes end: u32 | frames
 *   arrays       firsts: u32 per value and one more | child: the elements of all values
 *   weighted     firsts: u32 per value and one more | child: the elements of all values
 *   sets         | child: their weights, int
 *   maps         firsts: u32 per value and one more | child: the keys of all values
 *                | child: their values
 *   structs      per field of the type, in order, a child: its values; encoding 0 and length 0 where
 *                no struct has the field
 *   mixed        firsts: u32 per value and one more | per mapped dimension a child: the labels of all
 *   tensors      subspaces, text | child: the cells of all subspaces, tensor
 *   inverse      f32 per row, as InverseLengths tells; beside the tensors of the field
 *   lengths
 *
 *   child        zeros up to a multiple of 8 | encoding: u8 | flags: u8 | 0: u16 | length: u32
 *                | length bytes as in a chunk: values, and the bitmap where flags say so
 * </pre>
 *
 * <p>A frame is an LZ4 block of whole texts, or the texts as they are where that is not larger.
 * Texts behind the last frame are empty.
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

    /** What a crc covers: the bytes that are read from the device at once, at the least. */
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

    /** The field of a chunk that belongs to none. */
    public static final int NO_FIELD = 0xffff;

    /** Stands for the encoding of a child without values. */
    public static final int NO_CHILD = 0;

    public static final int FRAME_TEXT = 0;
    public static final int FRAME_END = 4;

    private static final int FRAME_SIZE = 8;
    private static final int CHILD_HEADER = 8;
    private static final int WIDE_CHUNK = PAGE;
    private static final int NARROW_ALIGNMENT = 8;

    /** Returns where directory entry {@code chunk} starts. */
    public static int entry(int chunk) {
        return DIRECTORY_OFFSET + chunk * ENTRY_SIZE;
    }

    /** Returns whether the values of the chunk of a directory entry are followed by a bitmap. */
    public static boolean hasBitmap(MemorySegment block, int entry) {
        return (block.get(ValueLayout.JAVA_BYTE, entry + FLAGS_OFFSET) & BITMAP_FLAG) != 0;
    }

    /** Returns what the offset of a chunk of {@code length} bytes is a multiple of. */
    public static int alignment(int length) {
        return length >= WIDE_CHUNK ? ALIGNMENT : NARROW_ALIGNMENT;
    }

    /**
     * Returns how many pages of a file a block has a part of.
     *
     * @param offset of the block in the file
     */
    public static int pages(long offset, long length) {
        return (int) ((offset + length - 1) / PAGE - offset / PAGE) + 1;
    }

    /** Returns where the crc of a page stands, counted from the one that the block starts in. */
    public static int pageCrc(int chunkCount, int page) {
        return entry(chunkCount) + page * Integer.BYTES;
    }

    /** Returns where the first chunk may start. */
    public static int headerSize(int chunkCount, int pages) {
        return pageCrc(chunkCount, pages);
    }

    /**
     * Returns the crc of the header of {@code block}, of its directory and of the page crcs.
     *
     * @param headerSize up to where it reaches
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

    /** Returns the UTF-8 text of the bytes from {@code from} to before {@code to}. */
    public static String text(MemorySegment bytes, long from, long to) {
        return new String(
                bytes.asSlice(from, to - from).toArray(ValueLayout.JAVA_BYTE),
                StandardCharsets.UTF_8);
    }

    /** Returns the bytes of a bitmap of {@code rows}. */
    public static int bitmapSize(int rows) {
        return (rows + 7) >>> 3;
    }

    /** Returns whether the bit of {@code row} is set in the bitmap at {@code offset}. */
    public static boolean bit(MemorySegment bytes, long offset, int row) {
        return (bytes.get(ValueLayout.JAVA_BYTE, offset + (row >>> 3)) >>> (row & 7) & 1) != 0;
    }

    /** Returns where the codes of a coded text with {@code distinct} texts start. */
    public static long codesOffset(int distinct) {
        return 4L * distinct + 8;
    }

    /** Returns the bytes of a code where there are {@code distinct} texts. */
    public static int codeSize(int distinct) {
        if (distinct <= 1 << Byte.SIZE) {
            return Byte.BYTES;
        }
        return distinct <= 1 << Short.SIZE ? Short.BYTES : Integer.BYTES;
    }

    /** Returns where the frames of a framed text start, from the count of frames. */
    public static long framesOffset(int count) {
        return frame(count);
    }

    /** Returns where the index tells of a frame, from the count of frames. */
    public static long frame(int frame) {
        return 4 + (long) frame * FRAME_SIZE;
    }

    /** Returns where the values of a child start that comes behind {@code offset}. */
    public static long childOffset(long offset) {
        return (offset + CHILD_HEADER - 1 & -CHILD_HEADER) + CHILD_HEADER;
    }

    /**
     * Writes what comes before the values of a child.
     *
     * @param offset how much of the values it belongs to is written
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

    /** Returns the bytes of the child whose values start at {@code offset}. */
    public static int childLength(MemorySegment bytes, long offset) {
        return bytes.get(INT, offset - Integer.BYTES);
    }
}
