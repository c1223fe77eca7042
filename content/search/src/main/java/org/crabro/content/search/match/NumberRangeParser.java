package org.crabro.content.search.match;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.protocol.query.RangeEnd;

/**
 * Reads numbers and ranges as a word of a query writes them.
 *
 * <pre>
 *   text  := number | "&lt;" number | "&gt;" number | open [ number ] ";" [ number ] close
 *   open  := "["  (included) | "&lt;" (not included)
 *   close := "]"  (included) | "&gt;" (not included)
 * </pre>
 *
 * <p>A side without a number has no end.
 */
final class NumberRangeParser {
    private static final Pattern RANGE = Pattern.compile("([\\[<])([^;]*);([^;]*)([]>])");
    private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]{1,19}");

    private NumberRangeParser() {}

    /** Parses a number or a range; empty if {@code text} is neither. */
    static Optional<NumberRange> parse(String text) {
        String trimmed = text.strip();
        Matcher range = RANGE.matcher(trimmed);
        if (range.matches()) {
            Optional<RangeEnd> low = end(range.group(2), range.group(1).equals("["));
            Optional<RangeEnd> high = end(range.group(3), range.group(4).equals("]"));
            return low.flatMap(from -> high.map(to -> NumberRange.between(from, to)));
        }
        if (trimmed.startsWith("<")) {
            return number(trimmed.substring(1), false)
                    .map(to -> NumberRange.between(new RangeEnd.Unbounded(), to));
        }
        if (trimmed.startsWith(">")) {
            return number(trimmed.substring(1), false)
                    .map(from -> NumberRange.between(from, new RangeEnd.Unbounded()));
        }
        return number(trimmed, true).map(both -> NumberRange.between(both, both));
    }

    /**
     * Parses a number or a range; returns an empty range if {@code text} is neither.
     *
     * @param isBoolean whether to parse a boolean: {@code true} and numbers above 0 are 1, all else
     *     is 0
     */
    static NumberRange range(boolean isBoolean, String text) {
        if (!isBoolean) {
            return parse(text).orElse(NumberRange.EMPTY);
        }
        if (text.equalsIgnoreCase("true")) {
            return NumberRange.TRUE;
        }
        if (text.equalsIgnoreCase("false")) {
            return NumberRange.FALSE;
        }
        return parse(text)
                .map(range -> range.lowDouble() > 0 ? NumberRange.TRUE : NumberRange.FALSE)
                .orElse(NumberRange.EMPTY);
    }

    private static Optional<RangeEnd> end(String text, boolean included) {
        return text.isBlank()
                ? Optional.of(new RangeEnd.Unbounded())
                : number(text.strip(), included);
    }

    private static Optional<RangeEnd> number(String text, boolean included) {
        String stripped = text.strip();
        try {
            if (WHOLE.matcher(stripped).matches()) {
                return Optional.of(new RangeEnd.Whole(Long.parseLong(stripped), included));
            }
        } catch (NumberFormatException beyondLongs) {
            // Falls through: a number outside the range of a long is parsed as a double.
        }
        try {
            double value = Double.parseDouble(stripped);
            return Double.isNaN(value)
                    ? Optional.empty()
                    : Optional.of(new RangeEnd.Real(value, included));
        } catch (NumberFormatException noNumber) {
            return Optional.empty();
        }
    }
}
