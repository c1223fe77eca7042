package org.crabro.container.yql;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads the tokens of a grouping, and reports errors with their place.
 *
 * <pre>
 *   name   := ( letter | "_" ) { letter | digit | "_" | "@" }
 *   number := [ "0x" ] digits [ "L" ] | digits "." [ digits ] [ exponent ] | digits exponent
 *   string := '"' { character } '"' | "'" { character } "'"
 *   blank  := white space | "//" or "#" to the end of the line | "/" "*" ... "*" "/"
 * </pre>
 */
final class GroupingReader {
    private static final int NAMES_SHOWN = 30;

    private final String language;
    private final String text;
    private final List<String> notes = new ArrayList<>();
    private int at;

    /**
     * @param language the name of the text in errors
     * @param start where the grouping begins in {@code text}
     */
    GroupingReader(String language, String text, int start) {
        this.language = language;
        this.text = text;
        this.at = start;
        skipBlanks();
    }

    /**
     * Returns whether a text in parentheses ends at the closing one: it closes what it opens and
     * nothing else, and contains its strings and comments completely.
     */
    static boolean staysInParentheses(String text) {
        var in = new GroupingReader("grouping", text + ")", 0);
        int open = 0;
        while (!in.isAtEnd()) {
            if (in.isString()) {
                in.skipString();
            } else if (in.is(')') && open == 0) {
                return in.at == text.length();
            } else {
                open += in.is('(') ? 1 : in.is(')') ? -1 : 0;
                in.at++;
                in.skipBlanks();
            }
        }
        return false;
    }

    /** Skips a string; to the end of the text if it is not closed. */
    private void skipString() {
        char quote = text.charAt(at++);
        while (!isAtEnd() && peek() != quote) {
            at += peek() == '\\' ? 2 : 1;
        }
        at = Math.min(at + 1, text.length());
        skipBlanks();
    }

    int offset() {
        return at;
    }

    /** Adds a note about the grouping for the trace. */
    void note(String note) {
        notes.add(note);
    }

    /** Returns the notes since the last call. */
    List<String> takeNotes() {
        List<String> taken = List.copyOf(notes);
        notes.clear();
        return taken;
    }

    /** Moves back to an earlier offset. */
    void goTo(int offset) {
        at = offset;
    }

    boolean isAtEnd() {
        return at >= text.length();
    }

    char peek() {
        return charAt(at);
    }

    boolean is(char c) {
        return peek() == c && c != 0;
    }

    boolean take(char c) {
        boolean is = is(c);
        if (is) {
            at++;
            skipBlanks();
        }
        return is;
    }

    void expect(char c) {
        if (!take(c)) {
            throw unexpected("'" + c + "'");
        }
    }

    boolean isName() {
        return isNameStart(peek());
    }

    /** Returns the name at the current offset without reading it; empty if there is none. */
    String peekName() {
        int end = at;
        if (isNameStart(charAt(end))) {
            while (isNamePart(charAt(end))) {
                end++;
            }
        }
        return text.substring(at, end);
    }

    /** Reads the name at the current offset. */
    String name(String what) {
        String name = peekName();
        if (name.isEmpty()) {
            throw unexpected(what);
        }
        at += name.length();
        skipBlanks();
        return name;
    }

    /** Takes {@code word}, in any case, if a parenthesis follows it. */
    boolean takeCall(String word) {
        int start = at;
        if (peekName().equalsIgnoreCase(word)) {
            at += word.length();
            skipBlanks();
            if (take('(')) {
                return true;
            }
            at = start;
        }
        return false;
    }

    boolean takeWord(String word) {
        boolean is = peekName().equalsIgnoreCase(word);
        if (is) {
            at += word.length();
            skipBlanks();
        }
        return is;
    }

    /** Returns whether parentheses are here and values are compared in them, outside of calls. */
    boolean comparesInParentheses() {
        if (!is('(')) {
            return false;
        }
        int start = at;
        boolean compares = comparesFromHere();
        at = start;
        return compares;
    }

    private boolean comparesFromHere() {
        int open = 0;
        int openCalls = 0;
        boolean afterName = false;
        do {
            boolean isCall = afterName;
            afterName = false;
            if (isString()) {
                string("a string");
            } else if (take('$')) {
                name("a name after '$'");
                take('=');
            } else if (isName()) {
                afterName = !name("a name").equalsIgnoreCase("not");
            } else if (take('(')) {
                open++;
                openCalls += isCall || openCalls > 0 ? 1 : 0;
            } else if (take(')')) {
                open--;
                openCalls = Math.max(0, openCalls - 1);
            } else if (openCalls == 0 && "<>=!".indexOf(peek()) >= 0) {
                return true;
            } else {
                at++;
                skipBlanks();
            }
        } while (open > 0 && !isAtEnd());
        return false;
    }

    boolean isNumber() {
        return isDigit(peek()) || (is('.') && isDigit(charAt(at + 1)));
    }

    /** A number as written. */
    record Literal(boolean isWhole, long whole, double real) {}

    Literal number(String what) {
        if (!isNumber()) {
            throw unexpected(what);
        }
        int start = at;
        if (is('0') && (charAt(at + 1) == 'x' || charAt(at + 1) == 'X')) {
            at += 2;
            int digits = at;
            while (Character.digit(peek(), 16) >= 0 && peek() < 128) {
                at++;
            }
            return whole(start, digits, 16);
        }
        skipDigits();
        boolean real = false;
        if (is('.')) {
            real = true;
            at++;
            skipDigits();
        }
        if (is('e') || is('E')) {
            int sign = charAt(at + 1) == '+' || charAt(at + 1) == '-' ? 1 : 0;
            if (isDigit(charAt(at + 1 + sign))) {
                real = true;
                at += 1 + sign;
                skipDigits();
            }
        }
        if (real) {
            double value = Double.parseDouble(text.substring(start, at));
            endNumber(start);
            return new Literal(false, 0, value);
        }
        boolean octal = text.charAt(start) == '0' && at > start + 1;
        return whole(start, octal ? start + 1 : start, octal ? 8 : 10);
    }

    private Literal whole(int start, int digits, int radix) {
        long value;
        try {
            value =
                    radix == 10
                            ? Long.parseLong(text.substring(digits, at))
                            : Long.parseUnsignedLong(text.substring(digits, at), radix);
        } catch (NumberFormatException _) {
            throw errorAt(
                    start,
                    "'%s' is no whole number of 64 bits"
                            .formatted(shortened(text.substring(start, at))));
        }
        if (is('l') || is('L')) {
            at++;
        }
        endNumber(start);
        return new Literal(true, value, value);
    }

    private void endNumber(int start) {
        if (isNamePart(peek())) {
            throw errorAt(start, "a number ends in '" + peek() + "'");
        }
        skipBlanks();
    }

    boolean isString() {
        return is('"') || is('\'');
    }

    String string(String what) {
        if (!isString()) {
            throw unexpected(what);
        }
        int start = at;
        char quote = text.charAt(at++);
        var value = new StringBuilder();
        while (!isAtEnd() && peek() != quote) {
            char c = text.charAt(at++);
            value.append(c == '\\' ? escaped() : c);
        }
        if (isAtEnd()) {
            throw errorAt(start, "a string that is not closed");
        }
        at++;
        if (!UTF_8.newEncoder().canEncode(value)) {
            throw errorAt(start, "a string that contains half of a surrogate pair");
        }
        skipBlanks();
        return value.toString();
    }

    private char escaped() {
        int start = at - 1;
        char c = peek();
        at++;
        return switch (c) {
            case 't' -> '\t';
            case 'n' -> '\n';
            case 'f' -> '\f';
            case 'r' -> '\r';
            case '"', '\'', '\\', '/' -> c;
            case 'x' -> code(start, 2);
            case 'u' -> code(start, 4);
            default ->
                    throw errorAt(
                            start,
                            "expected one of \\t \\n \\f \\r \\\" \\' \\\\ \\/ \\x \\u in a string");
        };
    }

    private char code(int start, int digits) {
        int value = 0;
        for (int i = 0; i < digits; i++) {
            int digit = peek() < 128 ? Character.digit(peek(), 16) : -1;
            if (digit < 0) {
                throw errorAt(start, "expected " + digits + " hexadecimal digits");
            }
            value = value * 16 + digit;
            at++;
        }
        return (char) value;
    }

    private void skipDigits() {
        while (isDigit(peek())) {
            at++;
        }
    }

    private void skipBlanks() {
        while (!isAtEnd()) {
            if (Character.isWhitespace(peek())) {
                at++;
            } else if (is('#') || text.startsWith("//", at)) {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (text.startsWith("/*", at)) {
                int end = text.indexOf("*/", at + 2);
                if (end < 0) {
                    throw errorAt(at, "a comment that is not closed");
                }
                at = end + 2;
            } else {
                return;
            }
        }
    }

    YqlSyntaxException unexpected(String expected) {
        return errorAt(at, "expected " + expected + ", got " + actual());
    }

    private String actual() {
        if (isAtEnd()) {
            return "the end";
        }
        String name = peekName();
        return name.isEmpty()
                ? "'" + Character.toString(text.codePointAt(at)) + "'"
                : "'" + shortened(name) + "'";
    }

    private static String shortened(String name) {
        return name.length() > NAMES_SHOWN ? name.substring(0, NAMES_SHOWN) + "..." : name;
    }

    YqlSyntaxException errorAt(int offset, String problem) {
        return YqlSyntaxException.in(
                language, YqlSyntaxException.Kind.STATEMENT, text, offset, problem);
    }

    private char charAt(int index) {
        return index < text.length() ? text.charAt(index) : 0;
    }

    private static boolean isNameStart(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '@';
    }

    private static boolean isNamePart(char c) {
        return isNameStart(c) || isDigit(c);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
