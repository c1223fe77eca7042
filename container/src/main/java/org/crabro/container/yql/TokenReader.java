package org.crabro.container.yql;

import java.util.List;

/** The tokens of a statement, one after another, and errors that point at them. */
final class TokenReader {
    private static final int SHOWN_TOKENS = 2;
    private static final int SHOWN_CHARS = 40;

    private final String text;
    private final List<Token> tokens;
    private int index;

    TokenReader(String text) {
        this.text = text;
        this.tokens = YqlLexer.tokens(text);
    }

    Token peek() {
        return tokens.get(index);
    }

    /** Returns the token after the current one, or the end token. */
    Token peekBehind() {
        return tokens.get(Math.min(index + 1, tokens.size() - 1));
    }

    /** Returns the current token and advances, but not past the end token. */
    Token next() {
        Token token = peek();
        if (token.kind() != Token.Kind.END) {
            index++;
        }
        return token;
    }

    boolean isWord(String word) {
        return peek().isWord(word);
    }

    boolean isSymbol(String symbol) {
        return peek().isSymbol(symbol);
    }

    boolean takeWord(String word) {
        boolean is = isWord(word);
        if (is) {
            index++;
        }
        return is;
    }

    boolean takeSymbol(String symbol) {
        boolean is = isSymbol(symbol);
        if (is) {
            index++;
        }
        return is;
    }

    void expectWord(String word) {
        if (!takeWord(word)) {
            throw unexpected("'" + word + "'");
        }
    }

    Token expectSymbol(String symbol) {
        if (!isSymbol(symbol)) {
            throw unexpected("'" + symbol + "'");
        }
        return next();
    }

    Token expectName(String what) {
        if (peek().kind() != Token.Kind.NAME) {
            throw unexpected(what);
        }
        return next();
    }

    /** Returns {@code first} with the names that follow it, each after a dot. */
    String pathAfter(Token first) {
        var path = new StringBuilder(first.text());
        while (takeSymbol(".")) {
            path.append('.').append(expectName("a name after '.'").text());
        }
        return path.toString();
    }

    YqlSyntaxException unexpected(String expected) {
        return error(
                "expected %s, got %s at input '%s'".formatted(expected, peek().shown(), input()));
    }

    /** Returns the last read text, including the unexpected token. */
    private String input() {
        Token token = peek();
        int from = tokens.get(Math.max(0, index - SHOWN_TOKENS)).start();
        String input = text.substring(from, token.end()).strip();
        return input.substring(Math.max(0, input.length() - SHOWN_CHARS))
                .replaceAll("\\p{Cntrl}", " ");
    }

    YqlSyntaxException error(String problem) {
        return errorAt(peek().start(), problem);
    }

    YqlSyntaxException errorAt(int offset, String problem) {
        return YqlSyntaxException.at(text, offset, problem);
    }
}
