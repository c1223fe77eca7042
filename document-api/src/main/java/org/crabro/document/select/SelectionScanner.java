package org.crabro.document.select;

import java.util.Locale;
import java.util.function.IntPredicate;

/** Splits the text of a selection into tokens, from left to right. */
final class SelectionScanner {
    private static final int PERIOD_DIGITS_MAX = 10;

    private final String text;
    private int at;

    SelectionScanner(String text) {
        this.text = text;
    }

    /** Skips blanks and returns the index of the next character. */
    int position() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    boolean isAtEnd() {
        return position() == text.length();
    }

    /** Returns the next character that is not blank; 0 at the end. */
    char peek() {
        return isAtEnd() ? 0 : text.charAt(at);
    }

    /** Returns the next character, which may be blank; 0 at the end. */
    char next() {
        return at < text.length() ? text.charAt(at) : 0;
    }

    /** Skips {@code symbol} if it is next. */
    boolean accept(String symbol) {
        if (text.startsWith(symbol, position())) {
            at += symbol.length();
            return true;
        }
        return false;
    }

    /** Skips {@code character} if it is next without a blank before it. */
    boolean acceptHere(char character) {
        if (next() == character) {
            at++;
            return true;
        }
        return false;
    }

    /** Skips {@code word}, in any case, if it is next and not the start of a longer name. */
    boolean acceptWord(String word) {
        if (!peekWord().toLowerCase(Locale.ROOT).equals(word)) {
            return false;
        }
        at += word.length();
        return true;
    }

    /** Returns the next name; empty if there is none. */
    String peekWord() {
        int from = position();
        int to = from;
        while (to < text.length() && isPartOfName(text.charAt(to), to > from)) {
            to++;
        }
        return text.substring(from, to);
    }

    /** Reads a name; empty if none is next. */
    String word() {
        String word = peekWord();
        at += word.length();
        return word;
    }

    /** Reads the characters that meet a condition. */
    String take(IntPredicate condition) {
        int from = at;
        while (at < text.length() && condition.test(text.charAt(at))) {
            at++;
        }
        return text.substring(from, at);
    }

    /** Returns whether a dot, a name and a parenthesis are next. */
    boolean isFollowedByCall() {
        int name = at + 1;
        int to = name;
        while (to < text.length() && isPartOfName(text.charAt(to), to > name)) {
            to++;
        }
        return to > name && to < text.length() && text.charAt(to) == '(';
    }

    private static boolean isPartOfName(char character, boolean isInside) {
        return character == '_'
                || (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z')
                || (isInside && character >= '0' && character <= '9');
    }

    static boolean isDigit(int character) {
        return character >= '0' && character <= '9';
    }

    /** Reads a number with its sign. */
    Value number() {
        int from = position();
        boolean isNegative = acceptHere('-');
        if (!isNegative) {
            acceptHere('+');
        }
        if (text.startsWith("0x", at) || text.startsWith("0X", at)) {
            at += 2;
            String digits = take(each -> Character.digit(each, 16) >= 0 && each < 0x80);
            if (digits.isEmpty() || digits.length() > 16) {
                throw failure(from, "Expected 1 to 16 hexadecimal digits after 0x");
            }
            long number = Long.parseUnsignedLong(digits, 16);
            return new Value.Whole(isNegative ? -number : number);
        }
        String digits = take(SelectionScanner::isDigit);
        boolean isReal = next() == '.' && at + 1 < text.length() && isDigit(text.charAt(at + 1));
        if (isReal) {
            at++;
            String fraction = take(SelectionScanner::isDigit);
            return new Value.Real(
                    Double.parseDouble(
                            (isNegative ? "-" : "") + digits + "." + fraction + exponent()));
        }
        try {
            return new Value.Whole(Long.parseLong(isNegative ? "-" + digits : digits));
        } catch (NumberFormatException _) {
            throw failure(from, "Expected a number from -2^63 to 2^63-1");
        }
    }

    /** Reads a number, or a period such as {@code 7d}, which is a number of seconds. */
    Value numberOrPeriod() {
        int from = position();
        Value number = number();
        long unit = unit();
        if (unit == 0 || !(number instanceof Value.Whole(long count))) {
            return number;
        }
        for (int i = from; i < at; i++) {
            if (!isDigit(text.charAt(i)) && i > from) {
                return number;
            }
        }
        if (at - from > PERIOD_DIGITS_MAX) {
            throw failure(
                    from, "Expected a period of at most %d digits".formatted(PERIOD_DIGITS_MAX));
        }
        at++;
        return new Value.Whole(count * unit);
    }

    /** Returns the seconds of the unit of a period; 0 if none is next. */
    private long unit() {
        if (at + 1 < text.length() && isPartOfName(text.charAt(at + 1), true)) {
            return 0;
        }
        return switch (next()) {
            case 's' -> 1;
            case 'm' -> 60;
            case 'h' -> 3_600;
            case 'd' -> 86_400;
            case 'w' -> 7 * 86_400;
            default -> 0;
        };
    }

    private String exponent() {
        int from = at;
        if (next() == 'e' || next() == 'E') {
            at++;
            if (next() == '-' || next() == '+') {
                at++;
            }
            if (take(SelectionScanner::isDigit).isEmpty()) {
                throw failure(from, "Expected digits in the exponent");
            }
        }
        return text.substring(from, at);
    }

    /** Reads a text in quotes. */
    String quoted() {
        int from = position();
        char quote = text.charAt(at++);
        var unquoted = new StringBuilder();
        while (next() != quote || at == text.length()) {
            if (at == text.length()) {
                throw failure(from, "Expected a closing " + quote + " for the text that begins");
            }
            char character = text.charAt(at++);
            unquoted.append(character == '\\' ? escaped() : character);
        }
        at++;
        return unquoted.toString();
    }

    private char escaped() {
        int from = at - 1;
        char character = next();
        at++;
        return switch (character) {
            case '\\', '"', '\'' -> character;
            case 't' -> '\t';
            case 'n' -> '\n';
            case 'f' -> '\f';
            case 'r' -> '\r';
            case 'x' -> {
                int to = Math.min(text.length(), at + 2);
                String digits = text.substring(at, to);
                at = to;
                if (!digits.matches("[0-9a-fA-F]{2}")) {
                    throw failure(from, "Expected two hexadecimal digits after \\x");
                }
                yield (char) Integer.parseInt(digits, 16);
            }
            default -> throw failure(from, "Expected one of \\\\ \\\" \\' \\t \\n \\f \\r \\x");
        };
    }

    /** Returns the exception for a token other than {@code expected}. */
    InvalidSelectionException expected(String expected) {
        String actual =
                isAtEnd()
                        ? "the end"
                        : peekWord().isEmpty() ? "'" + peek() + "'" : "'" + peekWord() + "'";
        return failure(at, "Expected " + expected + " but found " + actual);
    }

    InvalidSelectionException failure(int position, String problem) {
        return new InvalidSelectionException(text, position, problem);
    }
}
