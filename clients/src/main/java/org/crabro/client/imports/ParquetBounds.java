package org.crabro.client.imports;

import java.io.IOException;
import java.nio.ByteBuffer;
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
 * its columns and row groups, the headers of all pages, and the lists of pages.
 */
final class ParquetBounds {
    private static final int MAGIC = 0x31524150; // PAR1
    private static final int TRAILER = 2 * Integer.BYTES;

    private final ParquetBytes file;
    private final List<Long> children = new ArrayList<>();
    private final List<ParquetChunk> chunks = new ArrayList<>();
    private int rowGroups;

    private ParquetBounds(ParquetBytes file) {
        this.file = file;
    }

    /**
     * Checks a file. Other formats are accepted here: the library rejects them.
     *
     * @throws IOException if a limit is exceeded, or the footer or the header of a page is damaged
     */
    static void check(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            var file = new ParquetBytes(channel);
            if (file.size() < Integer.BYTES + TRAILER) {
                return;
            }
            ByteBuffer trailer = file.read(file.size() - TRAILER, TRAILER);
            long footer = trailer.getInt() & 0xffff_ffffL;
            if (trailer.getInt() == MAGIC) {
                var bounds = new ParquetBounds(file);
                bounds.footer(footer);
                bounds.pages();
            }
        }
    }

    private void footer(long length) throws IOException {
        ImportLimits.check("bytes in the footer", length, ImportLimits.PARQUET_FOOTER_BYTES_MAX);
        if (length > file.size() - TRAILER - Integer.BYTES) {
            throw new IOException("the footer has more bytes than the file");
        }
        var thrift = new CompactThrift(file.read(file.size() - TRAILER - length, (int) length));
        try {
            thrift.struct(field ->
                    switch (field) {
                        case 2 -> thrift.structs(count -> schema(thrift, count));
                        case 4 -> thrift.structs(count -> rowGroups(thrift, count));
                        default -> CompactThrift.SKIPPED;
                    });
        } catch (MalformedException e) {
            throw new IOException("the footer is damaged: " + e.getMessage(), e);
        }
        checkSchema();
    }

    private void schema(CompactThrift thrift, int count) throws IOException {
        ImportLimits.check("columns in the schema", count, ImportLimits.PARQUET_COLUMNS_MAX);
        for (int i = 0; i < count; i++) {
            children.add(0L);
            int index = i;
            thrift.struct(field ->
                    field == 5
                            ? thrift.number(value -> children.set(index, value))
                            : CompactThrift.SKIPPED);
        }
    }

    private void rowGroups(CompactThrift thrift, int count) throws IOException {
        ImportLimits.check("row groups", count, ImportLimits.PARQUET_ROW_GROUPS_MAX);
        for (int i = 0; i < count; i++) {
            rowGroups++;
            thrift.struct(field ->
                    field == 1
                            ? thrift.structs(chunks -> columns(thrift, chunks))
                            : CompactThrift.SKIPPED);
        }
    }

    private void columns(CompactThrift thrift, int count) throws IOException {
        ImportLimits.check(
                "columns in all row groups",
                (long) chunks.size() + count,
                ImportLimits.PARQUET_CHUNKS_MAX);
        for (int i = 0; i < count; i++) {
            var chunk = new ParquetChunk(rowGroups);
            chunks.add(chunk);
            thrift.struct(field -> chunk.field(thrift, field));
        }
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
            ImportLimits.check("columns inside each other", open.size(), ImportLimits.DEPTH_MAX);
            while (!open.isEmpty() && open.peek() == 0) {
                open.pop();
            }
        }
    }

    private void pages() throws IOException {
        var pages = new ParquetPages(file);
        long ofGroup = 0;
        int group = 0;
        for (ParquetChunk chunk : chunks) {
            if (chunk.rowGroup() != group) {
                group = chunk.rowGroup();
                ofGroup = 0;
            }
            ofGroup += pages.largest(chunk);
            ImportLimits.check(
                    "bytes in the pages of all columns",
                    ofGroup,
                    ImportLimits.PARQUET_PAGES_BYTES_MAX);
        }
    }
}
