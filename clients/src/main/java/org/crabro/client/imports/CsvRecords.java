package org.crabro.client.imports;

import java.io.BufferedReader;
import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.crabro.document.LegalText;

/** The rows of a table in a text file. The first line has the names of the columns. */
final class CsvRecords implements RecordReader {
    private static final int LONGEST_LINE = 1 << 20;

    private final Path file;
    private final RowReader in;
    private final CSVParser parser;
    private final Iterator<CSVRecord> rows;
    private final List<String> columns;

    /** Whether {@code 1,299} can only be a number with a separator of thousands. */
    private final boolean isPointBeforeFractions;

    private CsvRecords(Path file, RowReader in, CSVParser parser, char delimiter)
            throws IOException {
        this.file = file;
        this.isPointBeforeFractions = delimiter == ',';
        this.in = in;
        this.parser = parser;
        this.rows = parser.iterator();
        List<String> names = names();
        if (names.size() > ImportLimits.FIELDS_MAX) {
            throw new IOException(
                    "%s, line 1: %s"
                            .formatted(
                                    file,
                                    ImportLimits.tooMany("columns", ImportLimits.FIELDS_MAX)));
        }
        this.columns = distinct(names);
    }

    private List<String> names() throws IOException {
        try {
            if (rows.hasNext()) {
                return rows.next().toList();
            }
        } catch (UncheckedIOException e) {
            throw unreadable(e);
        }
        throw new IOException(file + " is empty: expected a line with the names of columns");
    }

    private IOException unreadable(UncheckedIOException e) {
        Throwable reason = e.getCause() == null ? e : e.getCause();
        if (reason instanceof TableText.EncodingException wrong) {
            return wrong;
        }
        return new IOException(
                "%s, line %d: %s"
                        .formatted(file, parser.getCurrentLineNumber(), reason.getMessage()),
                e);
    }

    /** Counts the characters of a row, which a quote that is not closed extends to the end. */
    private static final class RowReader extends FilterReader {
        private long count;

        RowReader(Reader in) {
            super(in);
        }

        /** The characters that are read from now on belong to the next row. */
        void beginRow() {
            count = 0;
        }

        @Override
        public int read() throws IOException {
            int c = super.read();
            add(c < 0 ? 0 : 1);
            return c;
        }

        @Override
        public int read(char[] into, int offset, int length) throws IOException {
            int read = super.read(into, offset, length);
            add(Math.max(0, read));
            return read;
        }

        private void add(int more) throws IOException {
            count += more;
            if (count > ImportLimits.ROW_CHARS_MAX) {
                throw new IOException(
                        ImportLimits.tooMany("characters in a row", ImportLimits.ROW_CHARS_MAX)
                                + "; perhaps a quote is not closed");
            }
        }
    }

    /**
     * Opens a table.
     *
     * @param encoding its character set; without it, UTF-8 or what its first bytes say
     */
    static CsvRecords open(Path file, Optional<Charset> encoding) throws IOException {
        BufferedReader in = TableText.open(file, encoding);
        in.mark(LONGEST_LINE + 1);
        char delimiter = delimiter(head(in));
        in.reset();
        CSVFormat format =
                CSVFormat.DEFAULT.builder().setDelimiter(delimiter).setIgnoreEmptyLines(true).get();
        var counted = new RowReader(in);
        return new CsvRecords(file, counted, format.parse(counted), delimiter);
    }

    private static String head(Reader in) throws IOException {
        char[] text = new char[LONGEST_LINE];
        int length = 0;
        while (length < text.length) {
            int got = in.read(text, length, text.length - length);
            if (got < 0) {
                break;
            }
            length += got;
            String head = new String(text, 0, length);
            if (head.indexOf('\n') >= 0) {
                return head.substring(0, head.indexOf('\n'));
            }
        }
        return new String(text, 0, length);
    }

    /** Returns the separator that the first line has most of, outside of quotes. */
    private static char delimiter(String head) {
        String bare = head.replaceAll("\"[^\"]*\"", "");
        char best = ',';
        for (char each : new char[] {',', ';', '\t', '|'}) {
            if (count(bare, each) > count(bare, best)) {
                best = each;
            }
        }
        return best;
    }

    private static long count(String text, char wanted) {
        return text.chars().filter(c -> c == wanted).count();
    }

    /** A column without a name has its number; a second column of a name has a number, too. */
    private static List<String> distinct(List<String> given) {
        Set<String> names = new LinkedHashSet<>();
        for (String each : given) {
            String base = each.isBlank() ? "column " + (names.size() + 1) : each.strip();
            String name = base;
            for (int number = 2; !names.add(name); number++) {
                name = base + " " + number;
            }
        }
        return List.copyOf(names);
    }

    @Override
    public Optional<Map<String, Object>> next() throws IOException {
        in.beginRow();
        try {
            if (!rows.hasNext()) {
                return Optional.empty();
            }
            CSVRecord row = rows.next();
            if (row.size() > columns.size()) {
                throw new IOException(
                        "%s, line %d: %d values, and %d columns"
                                .formatted(
                                        file,
                                        parser.getCurrentLineNumber(),
                                        row.size(),
                                        columns.size()));
            }
            Map<String, Object> record = new LinkedHashMap<>();
            for (int i = 0; i < row.size(); i++) {
                String text = row.get(i);
                if (!text.isBlank()) {
                    record.put(columns.get(i), value(text));
                }
            }
            return Optional.of(record);
        } catch (UncheckedIOException e) {
            throw unreadable(e);
        }
    }

    @Override
    public String place() {
        return "line " + parser.getCurrentLineNumber();
    }

    /** Returns a number or a truth value if the text is one. */
    private Object value(String text) {
        return TextValue.of(text)
                .or(() ->
                        SeparatedNumber.of(text.strip())
                                .filter(_ -> text.codePoints().allMatch(LegalText::isLegal))
                                .map(number -> isPointBeforeFractions ? number.withPoint() : number)
                                .map(number -> TextValue.given(text, number)))
                .orElse(text);
    }

    @Override
    public void close() throws IOException {
        parser.close();
    }
}
