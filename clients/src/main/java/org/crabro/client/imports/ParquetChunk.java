package org.crabro.client.imports;

/** What the footer of a Parquet file says about a column of a row group. */
final class ParquetChunk {
    private final int rowGroup;
    private long compressed;
    private long dataPages;
    private long dictionary;
    private long index = -1;
    private long indexLength;

    ParquetChunk(int rowGroup) {
        this.rowGroup = rowGroup;
    }

    int rowGroup() {
        return rowGroup;
    }

    /** Returns the field of the structure {@code ColumnChunk}. */
    CompactThrift.Field field(CompactThrift thrift, int number) {
        return switch (number) {
            case 3 -> thrift.nested(field -> metadata(thrift, field));
            case 4 -> thrift.longNumber(value -> index = value);
            case 5 -> thrift.number(value -> indexLength = value);
            default -> CompactThrift.SKIPPED;
        };
    }

    private CompactThrift.Field metadata(CompactThrift thrift, int number) {
        return switch (number) {
            case 7 -> thrift.longNumber(value -> compressed = value);
            case 9 -> thrift.longNumber(value -> dataPages = value);
            case 11 -> thrift.longNumber(value -> dictionary = value);
            default -> CompactThrift.SKIPPED;
        };
    }

    /** Returns where the first page starts in the file. */
    long start() {
        return dictionary > 0 ? dictionary : dataPages;
    }

    /** Returns the number of bytes of all pages. */
    long length() {
        return compressed;
    }

    boolean hasIndex() {
        return index != -1;
    }

    /** Returns where the list of pages starts in the file. */
    long index() {
        return index;
    }

    long indexLength() {
        return indexLength;
    }
}
