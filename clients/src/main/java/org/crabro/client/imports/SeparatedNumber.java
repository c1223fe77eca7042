package org.crabro.client.imports;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A text of a table that is a number with separators of thousands, such as {@code 1,299.00}, or
 * with a decimal comma. The other values of its column decide what the separators mean.
 *
 * @param text the number without blanks around it
 * @param signs the decimal signs that it can be read with; both for {@code 1,299}
 */
record SeparatedNumber(String text, Set<Sign> signs) {
    /** Numbers with more characters are texts. All others have at most 15 digits. */
    private static final int CHARS_MAX = 20;

    private static final int DIGITS_MAX = 15;

    private static final Pattern WITH_POINT =
            Pattern.compile("-?[1-9]\\d{0,2}(,\\d{3})+(\\.\\d+)?");
    private static final Pattern WITH_COMMA =
            Pattern.compile(
                    "-?([1-9]\\d{0,2}(\\.\\d{3})+|0|[1-9]\\d*),\\d+|-?[1-9]\\d{0,2}(\\.\\d{3}){2,}");

    /** The character before the fraction. */
    enum Sign {
        POINT,
        COMMA
    }

    SeparatedNumber {
        signs = Set.copyOf(signs);
    }

    /**
     * Returns the number in a text; empty if it is another text, or a number without separators.
     */
    static Optional<SeparatedNumber> of(String text) {
        if (text.length() > CHARS_MAX
                || text.chars().filter(c -> c >= '0' && c <= '9').count() > DIGITS_MAX) {
            return Optional.empty();
        }
        Set<Sign> signs = EnumSet.noneOf(Sign.class);
        if (WITH_POINT.matcher(text).matches()) {
            signs.add(Sign.POINT);
        }
        if (WITH_COMMA.matcher(text).matches()) {
            signs.add(Sign.COMMA);
        }
        return signs.isEmpty() ? Optional.empty() : Optional.of(new SeparatedNumber(text, signs));
    }

    /** Returns this number with a point before the fraction, if it can be read so. */
    SeparatedNumber withPoint() {
        return signs.contains(Sign.POINT) ? new SeparatedNumber(text, Set.of(Sign.POINT)) : this;
    }

    /** Returns the {@code Long} or {@code Double} that the text is. */
    Object value(Sign sign) {
        String plain =
                switch (sign) {
                    case POINT -> text.replace(",", "");
                    case COMMA -> text.replace(".", "").replace(',', '.');
                };
        return plain.indexOf('.') < 0
                ? (Object) Long.valueOf(plain)
                : (Object) Double.valueOf(plain);
    }
}
