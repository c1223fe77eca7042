package org.crabro.client.imports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Parquet files of some hundred bytes that announce gigabytes. */
class ParquetBoundsTest {
    private static final int INT = 5;
    private static final int LONG = 6;
    private static final int DOUBLE = 7;
    private static final int BINARY = 8;
    private static final int LIST = 9;
    private static final int STRUCT = 12;

    /** Lists begin with a mark that is removed when they are written. */
    private static final byte LIST_MARK = (byte) 0xee;

    private static final int PLAIN = 0;
    private static final int GZIP = 2;

    @TempDir Path directory;

    /** A field of a structure: its type and its bytes. */
    private static final class Part {
        private final int number;
        private final int type;
        private final byte[] bytes;

        Part(int number, int type, byte[] bytes) {
            this.number = number;
            this.type = type;
            this.bytes = bytes;
        }
    }

    /** What a file announces, and the message that refuses it. */
    static final class Attack {
        private final String what;
        private final byte[] file;
        private final String message;

        Attack(String what, byte[] file, String message) {
            this.what = what;
            this.file = file;
            this.message = message;
        }

        @Override
        public String toString() {
            return what;
        }
    }

    static List<Attack> attacks() {
        byte[] page = page(0, 4, 4, part(5, values(1)));
        return List.of(
                new Attack(
                        "FOOTER_BYTES",
                        file(new byte[0], Integer.MAX_VALUE, new byte[100]),
                        "more than 67,108,864 bytes in the footer, which is the limit"),
                new Attack(
                        "FOOTER_OUTSIDE",
                        file(new byte[0], 1_000_000, new byte[100]),
                        "the footer has more bytes than the file"),
                new Attack(
                        "COLUMNS_ANNOUNCED",
                        file(new byte[0], struct(part(2, list(Integer.MAX_VALUE)))),
                        "the footer is damaged: a list of 2,147,483,647 elements"),
                new Attack(
                        "COLUMNS",
                        file(new byte[0], struct(part(2, list(30_000, node(0))))),
                        "more than 20,000 columns in the schema, which is the limit"),
                new Attack(
                        "COLUMNS_INSIDE_EACH_OTHER",
                        file(new byte[0], struct(part(2, list(10_000, node(1))))),
                        "more than 100 columns inside each other, which is the limit"),
                new Attack(
                        "COLUMN_PARTS",
                        file(new byte[0], struct(part(2, list(2, node(Integer.MAX_VALUE))))),
                        "the footer is damaged: a column has 2,147,483,647 parts"),
                new Attack(
                        "ROW_GROUPS_ANNOUNCED",
                        file(new byte[0], struct(part(4, list(Integer.MAX_VALUE)))),
                        "the footer is damaged: a list of 2,147,483,647 elements"),
                new Attack(
                        "ROW_GROUPS",
                        file(new byte[0], struct(part(4, list(200_000, struct())))),
                        "more than 100,000 row groups, which is the limit"),
                new Attack(
                        "COLUMNS_OF_ROW_GROUPS",
                        file(
                                new byte[0],
                                struct(part(4, list(2, struct(part(1, list(300_000, struct()))))))),
                        "more than 500,000 columns in all row groups, which is the limit"),
                new Attack(
                        "FOOTER_DEPTH",
                        file(new byte[0], nested(10_000)),
                        "the footer is damaged: nested more than 32 deep"),
                new Attack(
                        "PAGE_BYTES",
                        table(page(0, Integer.MAX_VALUE, 4, part(5, values(1))), PLAIN),
                        "more than 134,217,728 bytes in a page, which is the limit"),
                new Attack(
                        "PAGE_BYTES_BELOW_0",
                        table(page(0, -1, 4, part(5, values(1))), PLAIN),
                        "a page is damaged: it has a size below 0"),
                new Attack(
                        "PAGE_OUTSIDE",
                        table(page(0, 4, Integer.MAX_VALUE, part(5, values(1))), PLAIN),
                        "a page is damaged: it ends after its column"),
                new Attack(
                        "PAGE_VALUES",
                        table(page(0, 4, 4, part(5, values(Integer.MAX_VALUE))), PLAIN),
                        "more than 16,777,216 values in a page, which is the limit"),
                new Attack(
                        "PAGE_VALUES_V2",
                        table(page(3, 4, 4, part(8, values(Integer.MAX_VALUE))), PLAIN),
                        "more than 16,777,216 values in a page, which is the limit"),
                new Attack(
                        "DICTIONARY",
                        table(page(2, 4, 4, part(7, values(5_000_000))), PLAIN),
                        "more than 2,000,000 values in a dictionary, which is the limit"),
                new Attack(
                        "PAGE_HEADER",
                        table(new byte[] {0x1f, 0x1f, 0x1f}, PLAIN),
                        "the header of a page is damaged: "),
                new Attack(
                        "PAGE_HEADER_TYPE",
                        table(page(0, 4, 4, part(5, struct(number(1, DOUBLE, 1)))), PLAIN),
                        "the header of a page is damaged: field 1 has the type 7 instead of 5"),
                new Attack(
                        "FOOTER_TYPE",
                        file(new byte[0], struct(part(4, 5, new byte[] {2}))),
                        "the footer is damaged: field 4 has the type 5 instead of 9"),
                new Attack(
                        "FOOTER_LIST_TYPE",
                        file(new byte[0], struct(part(4, ints(1)))),
                        "the footer is damaged: an element of a list has the type 5 instead of 12"),
                new Attack(
                        "PAGE_VALUES_TWICE",
                        table(
                                struct(
                                        number(1, INT, 0),
                                        number(2, INT, 4),
                                        number(3, INT, 4),
                                        part(5, values(Integer.MAX_VALUE)),
                                        part(8, values(1))),
                                PLAIN),
                        "more than 16,777,216 values in a page, which is the limit"),
                new Attack(
                        "LIST_OF_PAGES_BYTES",
                        indexed(4, Integer.MAX_VALUE, new byte[0]),
                        "more than 16,777,216 bytes in a list of pages, which is the limit"),
                new Attack(
                        "LIST_OF_PAGES_OUTSIDE",
                        indexed(Long.MAX_VALUE, 100, new byte[0]),
                        "the footer is damaged: a list of pages is outside of the file"),
                new Attack(
                        "LIST_OF_PAGES_ANNOUNCED",
                        indexed(struct(part(1, list(Integer.MAX_VALUE)))),
                        "a list of pages is damaged: a list of 2,147,483,647 elements"),
                new Attack(
                        "LIST_OF_OTHER_PAGES",
                        indexed(struct(part(1, list(1, location(8, wholePage().length))))),
                        "a list of pages is damaged: it names other pages than its column has"),
                new Attack(
                        "LIST_OF_LARGER_PAGES",
                        indexed(struct(part(1, list(1, location(4, Integer.MAX_VALUE))))),
                        "a list of pages is damaged: it names other pages than its column has"),
                new Attack(
                        "LIST_OF_MORE_PAGES",
                        indexed(struct(part(1, list(2, location(4, wholePage().length))))),
                        "a list of pages is damaged: it names other pages than its column has"),
                new Attack(
                        "COLUMN_OUTSIDE",
                        file(page, footer(4, Long.MAX_VALUE, PLAIN)),
                        "the footer is damaged: a column is outside of the file"),
                new Attack(
                        "PAGES_OF_ALL_COLUMNS",
                        file(
                                page(0, 100_000_000, 0, part(5, values(1))),
                                columns(20, 4, page(0, 100_000_000, 0, part(5, values(1))).length)),
                        "more than 536,870,912 bytes in the pages of all columns, which is the"
                                + " limit"));
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void refusesWhatAFileAnnounces(Attack attack) throws IOException {
        Path file = Files.write(directory.resolve("a.parquet"), attack.file);

        assertThatThrownBy(() -> ParquetBounds.check(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(attack.message);
        assertThatThrownBy(() -> ImportSource.of(file).open())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is no Parquet file that can be read: " + attack.message);
    }

    /** The page says 4 bytes. */
    @Test
    void refusesAPageThatBecomesLargerThanItSays() throws IOException {
        var compressed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(compressed)) {
            var zeros = new byte[1 << 20];
            for (int i = 0; i < 32; i++) {
                gzip.write(zeros);
            }
        }
        byte[] bytes = compressed.toByteArray();
        byte[] page = join(page(0, 4, bytes.length, part(5, values(1))), bytes);
        Path file = Files.write(directory.resolve("a.parquet"), table(page, GZIP));

        assertThatThrownBy(
                        () -> {
                            try (RecordReader reader = ImportSource.of(file).open()) {
                                reader.next();
                            }
                        })
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a.parquet");
    }

    @Test
    void acceptsATableThatIsWhole() throws IOException {
        assertThat(record(table(wholePage(), PLAIN))).containsEntry("a", 7L);
    }

    @Test
    void acceptsATableWithAListOfItsPages() throws IOException {
        byte[] index = struct(part(1, list(1, location(4, wholePage().length))));

        assertThat(record(indexed(index))).containsEntry("a", 7L);
    }

    private Map<String, Object> record(byte[] table) throws IOException {
        Path file = Files.write(directory.resolve("a.parquet"), table);
        try (RecordReader reader = ImportSource.of(file).open()) {
            return reader.next().orElseThrow();
        }
    }

    private static byte[] table(byte[] pages, int codec) {
        return file(pages, footer(4, pages.length, codec));
    }

    private static byte[] file(byte[] pages, byte[] footer) {
        return file(pages, footer.length, footer);
    }

    private static byte[] file(byte[] pages, int footerLength, byte[] footer) {
        byte[] magic = {'P', 'A', 'R', '1'};
        byte[] length =
                ByteBuffer.allocate(Integer.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(footerLength)
                        .array();
        return join(magic, pages, footer, length, magic);
    }

    /** Returns the footer of a table with one column of numbers and one row. */
    private static byte[] footer(long at, long compressed, int codec) {
        return footer(1, at, compressed, codec);
    }

    private static byte[] columns(int count, long at, long compressed) {
        return footer(count, at, compressed, PLAIN);
    }

    private static byte[] footer(int count, long at, long compressed, int codec) {
        byte[][] nodes =
                IntStream.range(0, count)
                        .mapToObj(i ->
                                struct(
                                        number(1, INT, 1),
                                        number(3, INT, 0),
                                        name(4, Character.toString('a' + i))))
                        .toArray(byte[][]::new);
        byte[][] chunks =
                IntStream.range(0, count)
                        .mapToObj(i ->
                                struct(
                                        number(2, LONG, at),
                                        part(3, STRUCT, column(i, at, compressed, codec))))
                        .toArray(byte[][]::new);
        return footer(nodes, chunks);
    }

    private static byte[] footer(byte[][] nodes, byte[][] chunks) {
        byte[] root = struct(name(4, "root"), number(5, INT, nodes.length));
        byte[] group = struct(part(1, list(chunks)), number(2, LONG, 100), number(3, LONG, 1));
        return struct(
                number(1, INT, 1),
                part(2, list(join(new byte[][] {root}, nodes))),
                number(3, LONG, 1),
                part(4, list(new byte[][] {group})));
    }

    private static byte[] column(int index, long at, long compressed, int codec) {
        return struct(
                number(1, INT, 1),
                part(2, ints(0)),
                part(3, texts(Character.toString('a' + index))),
                number(4, INT, codec),
                number(5, LONG, 1),
                number(6, LONG, 100),
                number(7, LONG, compressed),
                number(9, LONG, at));
    }

    /** Returns a table with one number, and a list of its pages that starts where it says. */
    private static byte[] indexed(long indexAt, long indexLength, byte[] index) {
        byte[] pages = wholePage();
        byte[] chunk =
                struct(
                        number(2, LONG, 4),
                        part(3, STRUCT, column(0, 4, pages.length, PLAIN)),
                        number(4, LONG, indexAt),
                        number(5, INT, indexLength));
        byte[] node = struct(number(1, INT, 1), number(3, INT, 0), name(4, "a"));
        byte[] footer = footer(new byte[][] {node}, new byte[][] {chunk});
        return file(join(pages, index), footer);
    }

    private static byte[] indexed(byte[] index) {
        return indexed(4 + wholePage().length, index.length, index);
    }

    private static byte[] location(long at, int size) {
        return struct(number(1, LONG, at), number(2, INT, size), number(3, LONG, 0));
    }

    private static byte[] wholePage() {
        return join(page(0, 4, 4, part(5, values(1))), new byte[] {7, 0, 0, 0});
    }

    private static byte[] page(int type, int uncompressed, int compressed, Part header) {
        return struct(
                number(1, INT, type),
                number(2, INT, uncompressed),
                number(3, INT, compressed),
                header);
    }

    /** A header of a page of plain values. */
    private static byte[] values(int count) {
        return struct(
                number(1, INT, count), number(2, INT, 0), number(3, INT, 3), number(4, INT, 3));
    }

    private static byte[] node(int children) {
        return struct(name(4, "a"), number(5, INT, children));
    }

    private static byte[] nested(int depth) {
        byte[] bytes = new byte[depth];
        Arrays.fill(bytes, (byte) (1 << 4 | STRUCT));
        return bytes;
    }

    private static Part part(int number, byte[] struct) {
        return new Part(number, struct.length > 0 && isList(struct) ? LIST : STRUCT, struct);
    }

    private static Part part(int number, int type, byte[] bytes) {
        return new Part(number, type, bytes);
    }

    private static boolean isList(byte[] bytes) {
        return bytes[0] == LIST_MARK;
    }

    private static Part number(int number, int type, long value) {
        return new Part(number, type, varint(value << 1 ^ value >> 63));
    }

    private static Part name(int number, String text) {
        return new Part(number, BINARY, join(varint(text.length()), text.getBytes(UTF_8)));
    }

    private static byte[] struct(Part... parts) {
        var out = new ByteArrayOutputStream();
        int last = 0;
        for (Part part : parts) {
            out.write((part.number - last) << 4 | part.type);
            last = part.number;
            byte[] bytes = part.bytes;
            int from = part.type == LIST ? 1 : 0;
            out.write(bytes, from, bytes.length - from);
        }
        out.write(0);
        return out.toByteArray();
    }

    private static byte[] list(int announced) {
        return join(new byte[] {LIST_MARK, (byte) (0xf0 | STRUCT)}, varint(announced));
    }

    private static byte[] list(int count, byte[] element) {
        var out = new ByteArrayOutputStream();
        write(out, list(count));
        for (int i = 0; i < count; i++) {
            write(out, element);
        }
        return out.toByteArray();
    }

    private static byte[] list(byte[]... elements) {
        return join(list(elements.length), join(elements));
    }

    private static byte[] ints(int value) {
        return join(new byte[] {LIST_MARK, (byte) (0x10 | INT)}, varint(value << 1));
    }

    private static byte[] texts(String text) {
        return join(new byte[] {LIST_MARK, (byte) (0x10 | BINARY)}, name(1, text).bytes);
    }

    private static byte[] varint(long value) {
        var out = new ByteArrayOutputStream();
        long remaining = value;
        while ((remaining & ~0x7fL) != 0) {
            out.write((int) ((remaining & 0x7f) | 0x80));
            remaining >>>= 7;
        }
        out.write((int) remaining);
        return out.toByteArray();
    }

    private static byte[] join(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            write(out, part);
        }
        return out.toByteArray();
    }

    private static byte[][] join(byte[][] first, byte[][] more) {
        return Stream.of(first, more).flatMap(Arrays::stream).toArray(byte[][]::new);
    }

    private static void write(ByteArrayOutputStream out, byte[] bytes) {
        try {
            out.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
