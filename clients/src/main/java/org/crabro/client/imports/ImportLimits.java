package org.crabro.client.imports;

import java.io.IOException;

/** The limits of imported records. A larger record is an error with its place. */
final class ImportLimits {
    /** Columns of a table, and members of records: each becomes a field. */
    static final int FIELDS_MAX = 5_000;

    /** Fields that members of objects in objects become, together with all others. */
    static final int NESTED_FIELDS_MAX = 500;

    /** Members of objects in objects whose types are guessed. */
    static final int NESTED_MEMBERS_MAX = 5_000;

    /** Values inside one record, with those in lists and objects. */
    static final int VALUES_MAX = 1_000_000;

    /** Lists and objects inside each other in a record. */
    static final int DEPTH_MAX = 100;

    /** Characters of a row of a table, with the separators. */
    static final int ROW_CHARS_MAX = 16 << 20;

    /** Parts of a mail that are inside each other: multiparts and mails in mails. */
    static final int MAIL_DEPTH_MAX = 50;

    /** Parts of a mail in total. */
    static final int MAIL_PARTS_MAX = 10_000;

    /** Headers of a mail, or of a part of it. */
    static final int MAIL_HEADERS_MAX = 10_000;

    /** Bytes of one header of a mail. */
    static final int MAIL_HEADER_BYTES_MAX = 1 << 20;

    /** Characters between the parts of a mail. A mail with a longer boundary has no parts. */
    static final int MAIL_BOUNDARY_MAX = 1_000;

    /** Bytes of the footer of a Parquet file. */
    static final int PARQUET_FOOTER_BYTES_MAX = 64 << 20;

    /** Nodes of the schema of a Parquet file, with those that only hold others. */
    static final int PARQUET_COLUMNS_MAX = 20_000;

    /** Row groups of a Parquet file. */
    static final int PARQUET_ROW_GROUPS_MAX = 100_000;

    /** Columns of all row groups of a Parquet file. */
    static final int PARQUET_CHUNKS_MAX = 500_000;

    /** Bytes of the header of a page of a Parquet file. */
    static final int PARQUET_HEADER_BYTES_MAX = 16 << 20;

    /** Bytes of a page of a Parquet file after decompression. */
    static final int PARQUET_PAGE_BYTES_MAX = 128 << 20;

    /** Bytes of the largest pages of all columns of a row group, which are in memory together. */
    static final int PARQUET_PAGES_BYTES_MAX = 512 << 20;

    /** Bytes of the list of pages of a column of a row group of a Parquet file. */
    static final int PARQUET_INDEX_BYTES_MAX = 16 << 20;

    /** Values of a page of a Parquet file. */
    static final int PARQUET_PAGE_VALUES_MAX = 16 << 20;

    /** Values of a dictionary of a Parquet file. */
    static final int PARQUET_DICTIONARY_MAX = 2_000_000;

    /** Bits of a decimal number of a Parquet file. The largest type of other programs has 256. */
    static final int PARQUET_DECIMAL_BITS_MAX = 2_048;

    private ImportLimits() {}

    /** Returns the problem that there are more than {@code limit} of something. */
    static String tooMany(String what, long limit) {
        return "more than %,d %s, which is the limit".formatted(limit, what);
    }

    /**
     * Checks a limit.
     *
     * @throws IOException if there are more than {@code limit} of something
     */
    static void check(String what, long count, long limit) throws IOException {
        if (count > limit) {
            throw new IOException(tooMany(what, limit));
        }
    }
}
