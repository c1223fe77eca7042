package org.crabro.container.yql;

import java.util.Locale;

/**
 * A word of a statement.
 *
 * @param text as written; of a string, its value
 * @param start index of its first character in the statement
 * @param end index after its last character
 */
record Token(Kind kind, String text, int start, int end) {
    enum Kind {
        NAME,
        WHOLE,
        REAL,
        /** A number and a unit of time after {@code now()} and a sign, such as {@code 7d}. */
        PERIOD,
        STRING,
        PARAMETER,
        SYMBOL,
        END
    }

    boolean isSymbol(String symbol) {
        return kind == Kind.SYMBOL && text.equals(symbol);
    }

    boolean isWord(String word) {
        return kind == Kind.NAME && text.toLowerCase(Locale.ROOT).equals(word);
    }

    /** Returns the token as errors show it. */
    String shown() {
        return switch (kind) {
            case END -> "the end";
            case STRING -> "\"" + text + "\"";
            case PARAMETER -> "'@" + text + "'";
            case NAME, WHOLE, REAL, PERIOD, SYMBOL -> "'" + text + "'";
        };
    }
}
