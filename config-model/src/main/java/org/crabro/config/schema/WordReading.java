package org.crabro.config.schema;

import java.util.Optional;

/**
 * How the simple query language reads the words of a field or a field set. YQL reads them as they
 * are written.
 *
 * @param consecutive whether words without a blank between them are a phrase
 * @param terminator the text behind an exact value; empty text for the next blank. If missing, the
 *     match mode decides where a word ends
 */
public record WordReading(boolean consecutive, Optional<String> terminator) {
    /** The match mode alone decides. */
    public static final WordReading NORMAL = new WordReading(false, Optional.empty());

    /** The terminator of fields with {@code match: exact} that declare none. */
    public static final String TERMINATOR = "@@";
}
