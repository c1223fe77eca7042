package org.crabro.client.imports;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.crabro.client.imports.CompactThrift.MalformedException;

/**
 * Checks what a Parquet file announces before a library allocates memory for it: the footer with
 * its columns and row groups, and the headers of all pages.
 */
final class ParquetBounds {
    private static final int MAGIC = 0x31524150; // PAR1
    private static final int TRAILER = 2 * Integer.BYTES;

    /** Most headers of pages are shorter; longer ones are read again. */
    private static final int HEADER_BYTES = 512;

    private static final int WINDOW_GROWTH = 8;

    private static final int DICTIONARY_PAGE = 2;

    private final FileChannel file;
    private final long size;
    private final List<Long> children = new ArrayList<>();
    private final List<Chunk> chunks = new ArrayList<>();
    private int rowGroups;

    private ParquetBounds(FileChannel file) throws IOException {
        this.file = file;
        this.size = file.size();
    }

    /** A column of a row group. */
    private static final class Chunk {
        private final int rowGroup;
        private long compressed;
        private long dataPages;
        private long dictionary;

        Chunk(int rowGroup) {
            this.rowGroup = rowGroup;
        }

        long start() {
            return dictionary > 0 ? Math.min(dictionary, dataPages) : dataPages;
        }
    }

    /** The header of a page. */
    private static final class Page {
        private long type;
        private long uncompressed;
        private long compressed;
        private long values;
    }

    /**
     * Checks a file. Other formats are accepted here: the library rejects them.
     *
     * @throws IOException if a limit is exceeded, or the footer or the header of a page is damaged
     */
    static void check(Path path) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            var bounds = new ParquetBounds(file);
            if (bounds.size < Integer.BYTES + TRAILER) {
                return;
            }
            ByteBuffer trailer = bounds.read(bounds.size - TRAILER, TRAILER);
            long footer = trailer.getInt() & 0xffff_ffffL;
            if (trailer.getInt() == MAGIC) {
                bounds.footer(footer);
                bounds.pages();
            }
        }
    }

    private void footer(long length) throws IOException {
        limit("bytes in the footer", length, ImportLimits.PARQUET_FOOTER_BYTES_MAX);
        if (length > size - TRAILER - Integer.BYTES) {
            throw new IOException("the footer has more bytes than the file");
        }
        var thrift = new CompactThrift(read(size - TRAILER - length, (int) length));
        try {
            thrift.struct(field ->
                    switch (field) {
                        case 2 -> () -> schema(thrift);
                        case 4 -> () -> rowGroups(thrift);
                        default -> CompactThrift.SKIPPED;
                    });
        } catch (MalformedException e) {
            throw new IOException("the footer is damaged: " + e.getMessage(), e);
        }
        checkSchema();
    }

    private void schema(CompactThrift thrift) throws IOException {
        int count =
                bounded("columns in the schema", thrift.list(), ImportLimits.PARQUET_COLUMNS_MAX);
        for (int i = 0; i < count; i++) {
            children.add(0L);
            int index = i;
            thrift.struct(field ->
                    field == 5
                            ? () -> children.set(index, thrift.number())
                            : CompactThrift.SKIPPED);
        }
    }

    private void rowGroups(CompactThrift thrift) throws IOException {
        int count = bounded("row groups", thrift.list(), ImportLimits.PARQUET_ROW_GROUPS_MAX);
        for (int i = 0; i < count; i++) {
            rowGroups++;
            thrift.struct(field -> field == 1 ? () -> columns(thrift) : CompactThrift.SKIPPED);
        }
    }

    private void columns(CompactThrift thrift) throws IOException {
        int count = thrift.list();
        bounded(
                "columns in all row groups",
                (long) chunks.size() + count,
                ImportLimits.PARQUET_CHUNKS_MAX);
        for (int i = 0; i < count; i++) {
            var chunk = new Chunk(rowGroups);
            chunks.add(chunk);
            thrift.struct(
                    field -> field == 3 ? () -> metadata(thrift, chunk) : CompactThrift.SKIPPED);
        }
    }

    private static void metadata(CompactThrift thrift, Chunk chunk) throws IOException {
        thrift.struct(field ->
                switch (field) {
                    case 7 -> () -> chunk.compressed = thrift.number();
                    case 9 -> () -> chunk.dataPages = thrift.number();
                    case 11 -> () -> chunk.dictionary = thrift.number();
                    default -> CompactThrift.SKIPPED;
                });
    }

    private static int bounded(String what, long count, int limit) throws IOException {
        limit(what, count, limit);
        return (int) count;
    }

    /** Checks that the nodes of the schema are a tree that is not too deep. */
    private void checkSchema() throws IOException {
        // The numbers of children that each open node still waits for.
        Deque<Long> open = new ArrayDeque<>();
        for (long count : children) {
            if (!open.isEmpty()) {
                open.push(open.pop() - 1);
            }
            if (count < 0 || count > children.size()) {
                throw new IOException(
                        "the footer is damaged: a column has %,d parts".formatted(count));
            }
            open.push(count);
            limit("columns inside each other", open.size(), ImportLimits.DEPTH_MAX);
            while (!open.isEmpty() && open.peek() == 0) {
                open.pop();
            }
        }
    }

    private void pages() throws IOException {
        long ofGroup = 0;
        int group = 0;
        for (Chunk chunk : chunks) {
            if (chunk.rowGroup != group) {
                group = chunk.rowGroup;
                ofGroup = 0;
            }
            ofGroup += largest(chunk);
            limit(
                    "bytes in the pages of all columns",
                    ofGroup,
                    ImportLimits.PARQUET_PAGES_BYTES_MAX);
        }
    }

    /** Returns the uncompressed size of the largest page of a column. */
    private long largest(Chunk chunk) throws IOException {
        long largest = 0;
        long at = chunk.start();
        if (at < 0 || chunk.compressed < 0 || at > size || chunk.compressed > size - at) {
            throw new IOException("the footer is damaged: a column is outside of the file");
        }
        long end = at + chunk.compressed;
        while (at < end) {
            var page = new Page();
            at += header(at, (int) Math.min(end - at, HEADER_BYTES), end, page);
            limit("bytes in a page", page.uncompressed, ImportLimits.PARQUET_PAGE_BYTES_MAX);
            limit("values in a page", page.values, ImportLimits.PARQUET_PAGE_VALUES_MAX);
            if (page.type == DICTIONARY_PAGE) {
                limit("values in a dictionary", page.values, ImportLimits.PARQUET_DICTIONARY_MAX);
            }
            if (page.uncompressed < 0 || page.values < 0 || page.compressed < 0) {
                throw new IOException("a page is damaged: it has a size below 0");
            }
            if (page.compressed > end - at) {
                throw new IOException("a page is damaged: it ends after its column");
            }
            at += page.compressed;
            largest = Math.max(largest, page.uncompressed);
        }
        return largest;
    }

    /** Reads the header of a page, and returns its length. */
    private int header(long at, int window, long end, Page page) throws IOException {
        ByteBuffer bytes = read(at, window);
        var thrift = new CompactThrift(bytes);
        try {
            thrift.struct(field ->
                    switch (field) {
                        case 1 -> () -> page.type = thrift.number();
                        case 2 -> () -> page.uncompressed = thrift.number();
                        case 3 -> () -> page.compressed = thrift.number();
                        case 5, 7, 8 -> () -> values(thrift, page);
                        default -> CompactThrift.SKIPPED;
                    });
            return bytes.position();
        } catch (MalformedException e) {
            // The header may be longer than the window: its statistics contain values.
            long longest = Math.min(end - at, ImportLimits.PARQUET_HEADER_BYTES_MAX);
            if (window >= longest) {
                throw new IOException("the header of a page is damaged: " + e.getMessage(), e);
            }
            long longer = Math.min(longest, (long) WINDOW_GROWTH * window);
            return header(at, (int) longer, end, page);
        }
    }

    private static void values(CompactThrift thrift, Page page) throws IOException {
        thrift.struct(
                field -> field == 1 ? () -> page.values = thrift.number() : CompactThrift.SKIPPED);
    }

    private static void limit(String what, long count, long limit) throws IOException {
        if (count > limit) {
            throw new IOException(ImportLimits.tooMany(what, limit));
        }
    }

    private ByteBuffer read(long at, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            if (file.read(bytes, at + bytes.position()) < 0) {
                throw new EOFException("the file ends early");
            }
        }
        return bytes.flip();
    }
}
