package org.crabro.client.imports;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * The lines of a mailbox that separate mails: {@code From }, an address or {@code -}, and a date as
 * {@code asctime} writes it, with an optional zone before or after the year. A sentence that begins
 * with "From " does not have this form.
 */
final class MboxSeparator {
    private static final byte[] FROM = "From ".getBytes(StandardCharsets.US_ASCII);

    /** An address has at most 320 characters. */
    private static final int LENGTH_MAX = 1_000;

    private static final String GAP = "[ \\t]+";

    /** A name, an offset, or a name in brackets. */
    private static final String ZONE =
            "(?:[A-Za-z]{1,5}(?:[+-]\\d{1,4})?|[+-]\\d\\d:?\\d\\d|\\([A-Za-z]{1,5}\\))";

    /** Archives of lists write "ann at example.com". Local parts in quotes can have blanks. */
    private static final String SENDER = "(?:\"[^\"]*\"@\\S+|\\S+ at \\S+|\\S+)";

    private static final Pattern FORM =
            Pattern.compile(
                    "From "
                            + "[ \\t]*"
                            + SENDER
                            + GAP
                            + "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
                            + GAP
                            + "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
                            + GAP
                            + "(?:0?[1-9]|[12]\\d|3[01])"
                            + GAP
                            + "(?:[01]?\\d|2[0-3]):[0-5]\\d(?::(?:[0-5]\\d|6[01]))?"
                            + ("(?:" + GAP + ZONE + "){0,2}")
                            + GAP
                            + "(?:19|20)\\d\\d"
                            + ("(?:" + GAP + ZONE + "){0,2}")
                            // Mails that came by UUCP.
                            + ("(?:" + GAP + "remote from \\S+)?")
                            + "\\s*");

    private MboxSeparator() {}

    /** Returns whether a line begins with {@code From }. */
    static boolean beginsWithFrom(byte[] line) {
        return beginsWithFrom(line, 0);
    }

    private static boolean beginsWithFrom(byte[] line, int from) {
        return line.length > from + FROM.length
                && Arrays.equals(line, from, from + FROM.length, FROM, 0, FROM.length);
    }

    /** Returns whether a line, with or without its end, has the form of a separator. */
    static boolean isForm(byte[] line) {
        return line.length <= LENGTH_MAX
                && beginsWithFrom(line)
                && FORM.matcher(new String(line, StandardCharsets.ISO_8859_1)).matches();
    }

    /** Returns whether a line begins with {@code From } after one or more {@code >}. */
    static boolean isQuoted(byte[] line) {
        int level = 0;
        while (level < line.length && line[level] == '>') {
            level++;
        }
        return level > 0 && beginsWithFrom(line, level);
    }
}
