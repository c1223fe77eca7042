package org.crabro.config.parser;

/**
 * Splits a schema file into tokens, one at a time, so that the parser can read embedded text of
 * other languages unchanged.
 *
 * <pre>
 *   blank   := " " | "\t" | "\r" | "\f" | "#" { any but "\n" }
 *   newline := "\n"
 *   word    := dashed | dotted | number          the longest counts
 *   dashed  := ( letter | "_" | "$" ) { letter | digit | "_" | "-" }
 *   dotted  := ( letter | digit | "_" | "." ) { letter | digit | "_" | "." }
 *   number  := "-" digit { letter | digit | "_" | "." }
 *   string  := '"' { any but '"' and "\n" } '"' | "'" { any but "'" and "\n" } "'"
 *   symbol  := any other character
 * </pre>
 */
final class SchemaScanner {
    enum Kind {
        WORD,
        STRING,
        SYMBOL,
        NEWLINE,
        END
    }

    /**
     * A token.
     *
     * @param text of a string: the characters between the quotes
     * @param start offset of its first character
     * @param end offset after its last character
     */
    record Token(Kind kind, String text, int start, int end) {
        /** Returns whether this is the word or the symbol {@code text}. */
        boolean is(String text) {
            return (kind == Kind.WORD || kind == Kind.SYMBOL) && this.text.equals(text);
        }
    }

    private final String text;
    private Token next;

    SchemaScanner(String text) {
        this.text = text;
        this.next = scan(0);
    }

    /** Returns the next token without taking it. */
    Token peek() {
        return next;
    }

    /** Takes the next token. */
    Token next() {
        Token token = next;
        next = scan(token.end());
        return token;
    }

    /** Continues at {@code offset}. */
    void moveTo(int offset) {
        next = scan(offset);
    }

    private Token scan(int from) {
        int start = skipBlanks(from);
        if (start == text.length()) {
            return new Token(Kind.END, "", start, start);
        }
        char c = text.charAt(start);
        if (c == '\n') {
            return token(Kind.NEWLINE, start, start + 1);
        }
        if (c == '"' || c == '\'') {
            return string(start, c);
        }
        int end = wordEnd(start);
        return end > start
                ? token(Kind.WORD, start, end)
                : token(Kind.SYMBOL, start, start + Character.charCount(text.codePointAt(start)));
    }

    private int skipBlanks(int from) {
        int at = from;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '#') {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
                at++;
            } else {
                return at;
            }
        }
        return at;
    }

    private Token string(int start, char quote) {
        int end = text.indexOf(quote, start + 1);
        int line = text.indexOf('\n', start);
        if (end < 0 || (line >= 0 && line < end)) {
            return token(Kind.SYMBOL, start, start + 1);
        }
        return new Token(Kind.STRING, text.substring(start + 1, end), start, end + 1);
    }

    private int wordEnd(int start) {
        char c = text.charAt(start);
        if (c == '-') {
            boolean number = start + 1 < text.length() && isDigit(text.charAt(start + 1));
            return number ? runEnd(start + 1, '.') : start;
        }
        int dotted = runEnd(start, '.');
        boolean dashes = isLetter(c) || c == '_' || c == '$';
        return dashes ? Math.max(dotted, runEnd(start + 1, '-')) : dotted;
    }

    private int runEnd(int start, char extra) {
        int end = start;
        while (end < text.length() && (isWordPart(text.charAt(end)) || text.charAt(end) == extra)) {
            end++;
        }
        return end;
    }

    private Token token(Kind kind, int start, int end) {
        return new Token(kind, text.substring(start, end), start, end);
    }

    private static boolean isWordPart(char c) {
        return isLetter(c) || isDigit(c) || c == '_';
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
