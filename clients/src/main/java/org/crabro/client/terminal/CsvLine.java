package org.crabro.client.terminal;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Lines of values separated by commas, as in RFC 4180: a value with a comma, a quote or a line end
 * is in quotes, and a quote in it is doubled.
 */
public final class CsvLine {
    private static final String LINE_END = "\r\n";

    private CsvLine() {}

    /** Returns a line without its end. */
    public static String of(List<String> values) {
        return values.stream().map(CsvLine::quoted).collect(Collectors.joining(","));
    }

    private static String quoted(String value) {
        boolean isPlain =
                value.chars().noneMatch(c -> c == ',' || c == '"' || LINE_END.indexOf(c) >= 0);
        return isPlain ? value : '"' + value.replace("\"", "\"\"") + '"';
    }
}
