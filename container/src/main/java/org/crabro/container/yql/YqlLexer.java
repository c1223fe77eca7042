package org.crabro.container.yql;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import org.crabro.document.memory.ValueMeter;

/**
 * Cuts a statement into tokens.
 *
 * <pre>
 *   name      := ( letter | "_" ) { letter | digit | "_" | "-" }
 *   whole     := digit { digit } [ "L" ]
 *   real      := digits "." [ digits ] [ exponent ] | "." digits [ exponent ] | digits exponent
 *   string    := '"' { character } '"' | "'" { character } "'"
 *   escape    := "\" ( b | t | n | f | r | " | ' | \ | / | u four hexadecimal digits )
 *   parameter := "@" name
 *   comment   := "//" to the end of the line | "#" to the end of the line | "/" "*" ... "*" "/"
 * </pre>
 *
 * Letters and digits are those of ASCII. The first "|" is the last token: groupings follow, which
 * {@link GroupingReader} reads.
 */
final class YqlLexer {
    /** A longer statement is refused. */
    static final int MAX_TOKENS = 100_000;

    private static final String[] LONG_SYMBOLS = {"<=", ">=", "!="};
    private static final String SYMBOLS = "*,;|(){}[]:.=<>!+-/%";

    /** A token, and the nodes of the tree that it becomes. */
    private static final int TOKEN_BYTES = 300;

    private final String text;
    private final ValueMeter memory = new ValueMeter();
    private int at;

    private YqlLexer(String text) {
        this.text = text;
    }

    /** Returns the tokens of {@code text}; the last one is the end. */
    static List<Token> tokens(String text) {
        return new YqlLexer(text).tokens();
    }

    private List<Token> tokens() {
        var tokens = new ArrayList<Token>();
        skipBlanks();
        while (at < text.length()) {
            if (tokens.size() == MAX_TOKENS) {
                throw error(at, "a statement of more than " + MAX_TOKENS + " tokens");
            }
            memory.add(TOKEN_BYTES);
            tokens.add(isPeriodNext(tokens) ? period() : token());
            if (tokens.getLast().isSymbol("|")) {
                // A grouping follows, which has its own syntax.
                break;
            }
            skipBlanks();
        }
        tokens.add(new Token(Token.Kind.END, "", at, at));
        return tokens;
    }

    private Token token() {
        int start = at;
        char c = text.charAt(at);
        if (isNameStart(c)) {
            skipName();
            return token(Token.Kind.NAME, start);
        }
        if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
            return number();
        }
        if (c == '"' || c == '\'') {
            return string(c);
        }
        if (c == '@') {
            return parameter();
        }
        for (String symbol : LONG_SYMBOLS) {
            if (text.startsWith(symbol, at)) {
                at += symbol.length();
                return token(Token.Kind.SYMBOL, start);
            }
        }
        if (SYMBOLS.indexOf(c) >= 0) {
            at++;
            return token(Token.Kind.SYMBOL, start);
        }
        throw error(
                start,
                "token recognition problem at '" + Character.toString(text.codePointAt(at)) + "'");
    }

    /** Returns whether a sign is read that follows {@code now()} or one of its periods. */
    private static boolean isPeriodNext(List<Token> tokens) {
        int sign = tokens.size() - 1;
        if (sign < 1 || !(tokens.get(sign).isSymbol("-") || tokens.get(sign).isSymbol("+"))) {
            return false;
        }
        return tokens.get(sign - 1).kind() == Token.Kind.PERIOD
                || (sign >= 3
                        && tokens.get(sign - 1).isSymbol(")")
                        && tokens.get(sign - 2).isSymbol("(")
                        && tokens.get(sign - 3).isWord("now"));
    }

    private Token period() {
        int start = at;
        skipDigits();
        boolean isUnit = at > start && "smhdw".indexOf(peek(0)) >= 0;
        if (!isUnit || isNameStart(peek(1)) || isDigit(peek(1))) {
            throw error(
                    start,
                    "expected a period such as 7d after now(), with the unit s, m, h, d or w");
        }
        at++;
        return token(Token.Kind.PERIOD, start);
    }

    private Token number() {
        int start = at;
        boolean real = false;
        skipDigits();
        // The grammar allows "1." but an element of a name never follows a number.
        if (peek(0) == '.') {
            real = true;
            at++;
            skipDigits();
        }
        if (peek(0) == 'e' || peek(0) == 'E') {
            int sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
            if (isDigit(peek(1 + sign))) {
                real = true;
                at += 1 + sign;
                skipDigits();
            }
        }
        int end = at;
        if (!real && (peek(0) == 'L' || peek(0) == 'l')) {
            at++;
        }
        if (isNameStart(peek(0))) {
            throw error(start, "a number ends in '" + text.charAt(at) + "'");
        }
        Token.Kind kind = real ? Token.Kind.REAL : Token.Kind.WHOLE;
        return new Token(kind, text.substring(start, end), start, at);
    }

    private Token string(char quote) {
        int start = at++;
        var value = new StringBuilder();
        while (peek(0) != quote) {
            if (at >= text.length()) {
                throw error(start, "a string that is not closed");
            }
            char c = text.charAt(at++);
            value.append(c == '\\' ? escaped() : c);
        }
        at++;
        // Text that cannot be encoded cannot be sent to a content node, and is found nowhere.
        if (!isEncodable(value)) {
            throw error(start, "a string that contains half of a surrogate pair");
        }
        return new Token(Token.Kind.STRING, value.toString(), start, at);
    }

    private static boolean isEncodable(CharSequence value) {
        for (int i = 0; i < value.length(); i++) {
            if (Character.isSurrogate(value.charAt(i))) {
                return UTF_8.newEncoder().canEncode(value);
            }
        }
        return true;
    }

    private char escaped() {
        int start = at - 1;
        char c = peek(0);
        at++;
        return switch (c) {
            case 'b' -> '\b';
            case 't' -> '\t';
            case 'n' -> '\n';
            case 'f' -> '\f';
            case 'r' -> '\r';
            case '"', '\'', '\\', '/' -> c;
            case 'u' -> codeUnit(start);
            default ->
                    throw error(
                            start,
                            "expected one of \\b \\t \\n \\f \\r \\\" \\' \\\\ \\/ \\u in a string");
        };
    }

    private char codeUnit(int start) {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(peek(0), 16);
            if (digit < 0 || peek(0) > 'f') {
                throw error(start, "expected four hexadecimal digits after \\u");
            }
            value = value * 16 + digit;
            at++;
        }
        return (char) value;
    }

    private Token parameter() {
        int start = at++;
        if (!isNameStart(peek(0))) {
            throw error(start, "expected the name of a parameter after '@'");
        }
        skipName();
        return new Token(Token.Kind.PARAMETER, text.substring(start + 1, at), start, at);
    }

    private void skipBlanks() {
        while (at < text.length()) {
            if (Character.isWhitespace(text.charAt(at))) {
                at++;
            } else if (text.charAt(at) == '#' || text.startsWith("//", at)) {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (text.startsWith("/*", at)) {
                int end = text.indexOf("*/", at + 2);
                if (end < 0) {
                    throw error(at, "a comment that is not closed");
                }
                at = end + 2;
            } else {
                return;
            }
        }
    }

    private void skipName() {
        while (isNameStart(peek(0)) || isDigit(peek(0)) || peek(0) == '-') {
            at++;
        }
    }

    private void skipDigits() {
        while (isDigit(peek(0))) {
            at++;
        }
    }

    /** Returns the character {@code ahead} of the current one; 0 after the end. */
    private char peek(int ahead) {
        return at + ahead < text.length() ? text.charAt(at + ahead) : 0;
    }

    private Token token(Token.Kind kind, int start) {
        return new Token(kind, text.substring(start, at), start, at);
    }

    private YqlSyntaxException error(int offset, String problem) {
        return YqlSyntaxException.at(text, offset, problem);
    }

    private static boolean isNameStart(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
