package org.crabro.content.storage.layout;

/**
 * The layout of a token column: two chunks of a searched text, so that a query that finds none of
 * its words in the dictionary reads no other bytes. Little-endian.
 *
 * <pre>
 *   dictionary
 *   0             8       12       16     20    24        28      32
 *   +-------------+-------+--------+------+-----+---------+-------+----------+---------+
 *   | fingerprint | token | length | rows | cut | longest | 0     | restarts | entries |
 *   | of analysis | count | of all | with |     | token   |       | u32 each |         |
 *   +-------------+-------+--------+------+-----+---------+-------+----------+---------+
 *
 *   entry
 *   0         1
 *   +---------+---------------+---------------+-------------------+--------+
 *   | control | shared - 7    | suffix - 16   | documents         | suffix |
 *   |         | if it is 7    | if it is 15   | if its top bit is |        |
 *   +---------+---------------+---------------+-------------------+--------+
 *
 *   numbers
 *   0       1       2   4          8
 *   +-------+-------+---+----------+--------------+--------------+-----------+---------------+
 *   | width | flags | 0 | elements | firsts: u32  | starts: u32  | weights:  | width bytes   |
 *   | u8    | u8    |   |          | rows + 1     | elements + 1 | i32 each  | for each word |
 *   +-------+-------+---+----------+--------------+--------------+-----------+---------------+
 * </pre>
 *
 * <p>Distinct tokens are numbered from 0 in the order of their bytes. An entry contains the length
 * of the prefix that its token shares with the previous one (bits 4 to 6 of the control byte), the
 * length of the rest (bits 0 to 3, less 1), and, if it is more than one, the number of rows that
 * contain the token. Lengths that do not fit, and counts, are variable-length numbers with 7 bits
 * per byte, low bits first; the top bit marks that more bytes follow. Every 32nd entry shares no
 * prefix; {@code restarts} holds the offsets of those entries from the first entry.
 *
 * <p>The words of a row are token numbers in the order of the text, all with the width of the
 * largest number of the block. Without elements (flag 1), a row is one text, {@code firsts} is
 * omitted, and {@code starts} has one number per row and one more. {@code starts} counts words;
 * without flag 2 there are no weights.
 */
public final class TokenLayout {
    private TokenLayout() {}

    public static final int FINGERPRINT_OFFSET = 0;
    public static final int TOKENS_OFFSET = 8;
    public static final int LENGTH_OFFSET = 12;
    public static final int ROWS_OFFSET = 16;
    public static final int CUT_OFFSET = 20;
    public static final int LONGEST_OFFSET = 24;
    public static final int RESTARTS_OFFSET = 32;

    /** One entry of this many is a restart, which shares no prefix. */
    public static final int RESTART_INTERVAL = 32;

    public static final int DOCUMENTS_BIT = 0x80;
    public static final int SHARED_SHIFT = 4;
    public static final int SHARED_MAX = 7;
    public static final int SUFFIX_MAX = 15;

    /** The text was longer than the limit: the words after it are missing. */
    public static final int IS_CUT = 1;

    public static final int WIDTH_OFFSET = 0;
    public static final int FLAGS_OFFSET = 1;
    public static final int ELEMENTS_OFFSET = 4;
    public static final int STARTS_OFFSET = 8;

    public static final int HAS_ELEMENTS = 1;
    public static final int HAS_WEIGHTS = 2;

    /** Returns the number of restarts of a dictionary of {@code tokens}. */
    public static int restarts(int tokens) {
        return (tokens + RESTART_INTERVAL - 1) / RESTART_INTERVAL;
    }

    /** Returns the offset of the first entry of a dictionary of {@code tokens}. */
    public static long entriesOffset(int tokens) {
        return RESTARTS_OFFSET + 4L * restarts(tokens);
    }

    /**
     * Returns the offset, in the numbers, of the start of a row: its first element, or its first
     * word.
     */
    public static long rowStart(int row) {
        return STARTS_OFFSET + 4L * row;
    }

    /** Returns the width in bytes of the numbers of {@code tokens} distinct tokens. */
    public static int width(int tokens) {
        return tokens <= 1 << 8 ? 1 : tokens <= 1 << 16 ? 2 : 4;
    }
}
