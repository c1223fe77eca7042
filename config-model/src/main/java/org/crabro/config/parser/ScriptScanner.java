package org.crabro.config.parser;

import java.util.Optional;

/**
 * Scans an indexing script character by character. Its tokens differ from those of the schema:
 * names contain dashes, and dots concatenate texts.
 *
 * <pre>
 *   name   := ( letter | "_" | "$" ) { letter | digit | "_" | "-" } | string
 *   path   := name { "." name }                             without blanks around the dots
 *   number := [ "+" | "-" ] ( digit { digit } [ "." digit { digit } ] [ "L" | "f" ]
 *           | "0x" hex { hex } [ "L" ] )
 *   string := '"' { any but '"' | "\" any } '"', or the same with "'"
 * </pre>
 */
final class ScriptScanner {
    private final SourceText source;
    private final String text;
    private int offset;

    ScriptScanner(SourceText source, int offset) {
        this.source = source;
        this.text = source.text();
        this.offset = offset;
    }

    int offset() {
        return offset;
    }

    /** Moves to an offset, backwards or forwards. */
    void moveTo(int there) {
        offset = there;
    }

    SourcePosition position() {
        return source.at(offset);
    }

    boolean atEnd() {
        return offset == text.length();
    }

    boolean at(char c) {
        return offset < text.length() && text.charAt(offset) == c;
    }

    boolean at(String string) {
        return text.startsWith(string, offset);
    }

    /** Returns whether the next character is one of {@code characters}. */
    boolean atOneOf(String characters) {
        return offset < text.length() && characters.indexOf(text.charAt(offset)) >= 0;
    }

    boolean atName() {
        return offset < text.length() && isNameStart(text.charAt(offset));
    }

    boolean atQuote() {
        return at('"') || at('\'');
    }

    boolean atNumber() {
        int digit = offset + (at('-') || at('+') ? 1 : 0);
        return digit < text.length() && isDigit(text.charAt(digit));
    }

    /** Returns whether the next word is {@code word}. */
    boolean atWord(String word) {
        int end = offset + word.length();
        return at(word)
                && (end == text.length()
                        || !(isNameStart(text.charAt(end))
                                || isDigit(text.charAt(end))
                                || text.charAt(end) == '-'));
    }

    void skip(int count) {
        offset += count;
    }

    void skipBlanks() {
        while (at(' ') || at('\t') || at('\r') || at('\f')) {
            offset++;
        }
        if (at('#')) {
            int end = text.indexOf('\n', offset);
            offset = end < 0 ? text.length() : end;
        }
    }

    void skipBlanksAndNewlines() {
        skipBlanks();
        while (at('\n')) {
            offset++;
            skipBlanks();
        }
    }

    void expect(char c) {
        if (!at(c)) {
            throw expected("'" + c + "'");
        }
        offset++;
    }

    /** Takes the next path, if there is one. */
    Optional<Name> path() {
        int start = offset;
        if (!atName() && !atQuote()) {
            return Optional.empty();
        }
        var path = new StringBuilder(name());
        while (at('.') && offset + 1 < text.length() && isNameStart(text.charAt(offset + 1))) {
            offset++;
            path.append('.').append(name());
        }
        return Optional.of(new Name(source.at(start), path.toString()));
    }

    String name() {
        return atQuote() ? string() : word();
    }

    String word() {
        int start = offset;
        while (offset < text.length()
                && (isNameStart(text.charAt(offset)) || isDigit(text.charAt(offset)) || at('-'))) {
            offset++;
        }
        return text.substring(start, offset);
    }

    /** Takes the characters of a number without parsing them. */
    String number() {
        int start = offset;
        offset += at('-') || at('+') ? 1 : 0;
        while (offset < text.length()
                && (isDigit(text.charAt(offset)) || isNameStart(text.charAt(offset)))) {
            offset++;
            if (at('.') && offset + 1 < text.length() && isDigit(text.charAt(offset + 1))) {
                offset++;
            }
        }
        return text.substring(start, offset);
    }

    String string() {
        int start = offset;
        char quote = text.charAt(offset++);
        var value = new StringBuilder();
        while (offset < text.length() && text.charAt(offset) != '\n') {
            char c = text.charAt(offset++);
            if (c == quote) {
                return value.toString();
            }
            value.append(c == '\\' ? escaped() : c);
        }
        throw new SchemaSyntaxException(
                source.at(start), "expected a closing " + quote + " on the same line");
    }

    private char escaped() {
        int start = offset - 1;
        char c = offset < text.length() ? text.charAt(offset++) : '\n';
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'f' -> '\f';
            case 'b' -> '\b';
            case '\\', '"', '\'' -> c;
            case 'u' -> unicode(start);
            default ->
                    throw new SchemaSyntaxException(
                            source.at(start),
                            "expected one of \\n \\t \\r \\f \\b \\\\ \\\" \\' \\uXXXX");
        };
    }

    private char unicode(int start) {
        int end = Math.min(offset + 4, text.length());
        String digits = text.substring(offset, end);
        if (!digits.matches("[0-9a-fA-F]{4}")) {
            throw new SchemaSyntaxException(
                    source.at(start), "expected four hexadecimal digits after \\u");
        }
        offset = end;
        return (char) Integer.parseInt(digits, 16);
    }

    SchemaSyntaxException expected(String what) {
        String actual;
        if (offset == text.length()) {
            actual = "the end of the file";
        } else if (at('\n')) {
            actual = "the end of the line";
        } else if (atName()) {
            int start = offset;
            actual = "'" + word() + "'";
            offset = start;
        } else {
            actual = "'" + Character.toString(text.codePointAt(offset)) + "'";
        }
        return new SchemaSyntaxException(
                source.at(offset), "expected " + what + " but found " + actual);
    }

    private static boolean isNameStart(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
