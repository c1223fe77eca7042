package org.crabro.client.imports;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.crabro.client.imports.CompactThrift.Field;
import org.crabro.client.imports.CompactThrift.MalformedException;

/**
 * Reads the headers of the pages of a Parquet file, and the lists of pages that some files have. A
 * library reads pages where such a list says, so it must name the pages that were checked.
 */
final class ParquetPages {
    /** Most headers of pages are shorter; longer ones are read again. */
    private static final int HEADER_BYTES = 512;

    private static final int WINDOW_GROWTH = 8;

    private static final int DATA_PAGE = 0;
    private static final int DICTIONARY_PAGE = 2;
    private static final int DATA_PAGE_V2 = 3;

    private final ParquetBytes file;

    ParquetPages(ParquetBytes file) {
        this.file = file;
    }

    /** The header of a page. */
    private static final class Page {
        private long type;
        private long uncompressed;
        private long compressed;
        private long values;

        /** Takes the number of values of one of the parts that a header can have. */
        void count(long count) {
            values = values < 0 || count < 0 ? -1 : Math.max(values, count);
        }
    }

    /** A page as the list of pages names it; its size includes the header. */
    private static final class Location {
        private long at;
        private long size;
    }

    /** Returns the uncompressed size of the largest page of a column. */
    long largest(ParquetChunk chunk) throws IOException {
        long at = chunk.start();
        if (!file.contains(at, chunk.length())) {
            throw new IOException("the footer is damaged: a column is outside of the file");
        }
        List<Location> locations = locations(chunk);
        int located = 0;
        long largest = 0;
        long end = at + chunk.length();
        while (at < end) {
            var page = new Page();
            long body = at + header(at, (int) Math.min(end - at, HEADER_BYTES), end, page);
            check(page, end - body);
            long next = body + page.compressed;
            boolean isData = page.type == DATA_PAGE || page.type == DATA_PAGE_V2;
            if (chunk.hasIndex() && isData) {
                checkLocation(locations, located++, at, next - at);
            }
            at = next;
            largest = Math.max(largest, page.uncompressed);
        }
        if (located < locations.size()) {
            throw wrongIndex();
        }
        return largest;
    }

    private static void check(Page page, long left) throws IOException {
        ImportLimits.check(
                "bytes in a page", page.uncompressed, ImportLimits.PARQUET_PAGE_BYTES_MAX);
        ImportLimits.check("values in a page", page.values, ImportLimits.PARQUET_PAGE_VALUES_MAX);
        if (page.type == DICTIONARY_PAGE) {
            ImportLimits.check(
                    "values in a dictionary", page.values, ImportLimits.PARQUET_DICTIONARY_MAX);
        }
        if (page.uncompressed < 0 || page.values < 0 || page.compressed < 0) {
            throw new IOException("a page is damaged: it has a size below 0");
        }
        if (page.compressed > left) {
            throw new IOException("a page is damaged: it ends after its column");
        }
    }

    /** Reads the header of a page, and returns its length. */
    private int header(long at, int window, long end, Page page) throws IOException {
        ByteBuffer bytes = file.read(at, window);
        var thrift = new CompactThrift(bytes);
        try {
            thrift.struct(field ->
                    switch (field) {
                        case 1 -> thrift.number(value -> page.type = value);
                        case 2 -> thrift.number(value -> page.uncompressed = value);
                        case 3 -> thrift.number(value -> page.compressed = value);
                        case 5, 7, 8 -> thrift.nested(part -> values(thrift, part, page));
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

    private static Field values(CompactThrift thrift, int field, Page page) {
        return field == 1 ? thrift.number(page::count) : CompactThrift.SKIPPED;
    }

    /** Returns the data pages as the list of pages names them. */
    private List<Location> locations(ParquetChunk chunk) throws IOException {
        List<Location> locations = new ArrayList<>();
        if (!chunk.hasIndex()) {
            return locations;
        }
        ImportLimits.check(
                "bytes in a list of pages",
                chunk.indexLength(),
                ImportLimits.PARQUET_INDEX_BYTES_MAX);
        if (!file.contains(chunk.index(), chunk.indexLength())) {
            throw new IOException("the footer is damaged: a list of pages is outside of the file");
        }
        var thrift = new CompactThrift(file.read(chunk.index(), (int) chunk.indexLength()));
        try {
            thrift.struct(field ->
                    field == 1
                            ? thrift.structs(count -> locations(thrift, count, locations))
                            : CompactThrift.SKIPPED);
        } catch (MalformedException e) {
            throw new IOException("a list of pages is damaged: " + e.getMessage(), e);
        }
        return locations;
    }

    private static void locations(CompactThrift thrift, int count, List<Location> locations)
            throws IOException {
        for (int i = 0; i < count; i++) {
            var location = new Location();
            thrift.struct(field ->
                    switch (field) {
                        case 1 -> thrift.longNumber(value -> location.at = value);
                        case 2 -> thrift.number(value -> location.size = value);
                        default -> CompactThrift.SKIPPED;
                    });
            locations.add(location);
        }
    }

    private static void checkLocation(List<Location> locations, int page, long at, long size)
            throws IOException {
        if (page >= locations.size()
                || locations.get(page).at != at
                || locations.get(page).size != size) {
            throw wrongIndex();
        }
    }

    private static IOException wrongIndex() {
        return new IOException(
                "a list of pages is damaged: it names other pages than its column has");
    }
}
