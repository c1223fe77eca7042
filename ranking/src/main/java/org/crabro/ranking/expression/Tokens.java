package org.crabro.ranking.expression;

/** Reads the tokens of expressions: numbers, strings, names and signs, and their positions. */
class Tokens {
    final String text;
    int offset;

    Tokens(String text) {
        this.text = text;
    }

    double number() {
        int end = numberEnd();
        double value = Double.parseDouble(text.substring(offset, end));
        offset = end;
        skipSpace();
        return value;
    }

    /** Where the number that starts here ends; a name may start with digits and go on. */
    int numberEnd() {
        int end = digitsEnd(offset);
        if (end < text.length() && text.charAt(end) == '.') {
            end = digitsEnd(end + 1);
        }
        if (end < text.length() && (text.charAt(end) == 'e' || text.charAt(end) == 'E')) {
            boolean signed =
                    end + 1 < text.length()
                            && (text.charAt(end + 1) == '+' || text.charAt(end + 1) == '-');
            int digits = end + (signed ? 2 : 1);
            int exponentEnd = digitsEnd(digits);
            if (exponentEnd > digits) {
                return exponentEnd;
            }
        }
        return end;
    }

    int digitsEnd(int from) {
        int end = from;
        while (end < text.length() && isDigit(text.charAt(end))) {
            end++;
        }
        return end;
    }

    String string() {
        int start = offset;
        char quote = text.charAt(offset++);
        var value = new StringBuilder();
        while (offset < text.length() && text.charAt(offset) != quote) {
            char c = text.charAt(offset++);
            value.append(c == '\\' ? escaped() : c);
        }
        if (offset == text.length()) {
            offset = start;
            throw problem("the string has no end");
        }
        offset++;
        skipSpace();
        return value.toString();
    }

    char escaped() {
        int start = offset - 1;
        char c = offset < text.length() ? text.charAt(offset++) : ' ';
        return switch (c) {
            case '\\', '"', '\'' -> c;
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'f' -> '\f';
            case 'x' -> hexDigits(start);
            default -> throw badEscape(start);
        };
    }

    char hexDigits(int start) {
        int end = offset + 2;
        if (end > text.length() || !text.substring(offset, end).matches("[0-9a-fA-F]{2}")) {
            throw badEscape(start);
        }
        char c = (char) Integer.parseInt(text, offset, end, 16);
        offset = end;
        return c;
    }

    ExpressionSyntaxException badEscape(int start) {
        offset = start;
        return problem("expected one of \\\\ \\\" \\' \\n \\t \\r \\f or \\x with two hex digits");
    }

    String nameOr(String expected) {
        if (nameEnd() == offset) {
            throw unexpected(expected);
        }
        return word();
    }

    boolean atLabel() {
        return at('"') || at('\'') || nameEnd() > offset || atNegative();
    }

    /** Parses a label: a name, a whole number, which can be negative, or a string. */
    String label(String expected) {
        if (at('"') || at('\'')) {
            return string();
        }
        if (atNegative()) {
            offset++;
            return "-" + word();
        }
        return nameOr(expected);
    }

    /** Returns whether the text continues with a minus and digits without a blank between them. */
    private boolean atNegative() {
        return at('-') && offset + 1 < text.length() && isDigit(text.charAt(offset + 1));
    }

    String name() {
        return nameOr("a name");
    }

    String word() {
        String word = text.substring(offset, nameEnd());
        offset += word.length();
        skipSpace();
        return word;
    }

    boolean atWord(String word) {
        return text.startsWith(word, offset) && nameEnd() == offset + word.length();
    }

    int nameEnd() {
        int end = offset;
        while (end < text.length() && isNamePart(text.charAt(end), end > offset)) {
            end++;
        }
        return end;
    }

    static boolean isNamePart(char c, boolean inside) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || isDigit(c)
                || c == '_'
                || c == '@'
                || (inside && c == '$');
    }

    static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    boolean atDigit() {
        return offset < text.length() && isDigit(text.charAt(offset));
    }

    boolean at(char c) {
        return offset < text.length() && text.charAt(offset) == c;
    }

    boolean accept(char c) {
        if (!at(c)) {
            return false;
        }
        offset++;
        skipSpace();
        return true;
    }

    void expect(char c) {
        expect(c, "'" + c + "'");
    }

    void expect(char c, String expected) {
        if (!accept(c)) {
            throw unexpected(expected);
        }
    }

    void skipSpace() {
        while (offset < text.length()) {
            char c = text.charAt(offset);
            if (c == '#') {
                int end = text.indexOf('\n', offset);
                offset = end < 0 ? text.length() : end;
            } else if (Character.isWhitespace(c)) {
                offset++;
            } else {
                return;
            }
        }
    }

    ExpressionSyntaxException unexpected(String expected) {
        int end = Math.max(nameEnd(), Math.min(offset + 1, text.length()));
        String actual = end == offset ? "the end" : "'" + text.substring(offset, end) + "'";
        return problem("expected " + expected + " but found " + actual);
    }

    ExpressionSyntaxException problem(String problem) {
        return new ExpressionSyntaxException(new ExpressionPosition(text, offset), problem);
    }
}
