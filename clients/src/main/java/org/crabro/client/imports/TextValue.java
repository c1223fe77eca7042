package org.crabro.client.imports;

import java.util.Optional;
import java.util.regex.Pattern;
import org.crabro.document.LegalText;

/** Values that are written as texts, such as those of tables. */
final class TextValue {
    /** Numbers whose digits are all needed: no leading zeros, which codes have. */
    private static final Pattern NUMBER =
            Pattern.compile(
                    "-?(0|[1-9]\\d*)|-?(0|[1-9]\\d*)?\\.\\d+([eE][+-]?\\d{1,3})?|-?[1-9]\\d*[eE][+-]?\\d{1,3}");

    private TextValue() {}

    /** Returns the number or the truth value that a text is; empty if it is another text. */
    static Optional<Object> of(String text) {
        String bare = text.strip();
        if (bare.length() < text.length() && !text.codePoints().allMatch(LegalText::isLegal)) {
            // Some blanks around a number are characters that no document can have.
            return Optional.empty();
        }
        if (bare.equalsIgnoreCase("true") || bare.equalsIgnoreCase("false")) {
            return Optional.of(given(text, Boolean.valueOf(bare)));
        }
        if (bare.length() <= ExactNumber.CHARS_MAX && NUMBER.matcher(bare).matches()) {
            Object number = ExactNumber.of(bare);
            return Optional.of(bare.equals(text) ? number : given(text, number));
        }
        return Optional.empty();
    }

    /** Returns a value with its text, unless the value alone says the same. */
    static Object given(String text, Object value) {
        return value instanceof GivenValue(String _, Object inner)
                ? new GivenValue(text, inner)
                : value.toString().equals(text) ? value : new GivenValue(text, value);
    }
}
