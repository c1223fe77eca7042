package org.crabro.client.sync;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an import writes into each document.
 *
 * @param hash of its other fields
 * @param source the name of the source
 */
record ImportMark(long hash, String source) {
    private static final Pattern TEXT = Pattern.compile("([0-9a-f]{16}) (.+)", Pattern.DOTALL);

    /** Returns the mark that a text is; empty if it is another text. */
    static Optional<ImportMark> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(
                        new ImportMark(
                                Long.parseUnsignedLong(matcher.group(1), 16), matcher.group(2)))
                : Optional.empty();
    }

    String text() {
        return "%016x %s".formatted(hash, source);
    }
}
