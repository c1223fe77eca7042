package org.crabro.config.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.config.parser.SourceText;
import org.crabro.text.Tokenizer;

/** Reads the characters of a file of rules: words, signs and literals. Comments are blanks. */
final class RuleScanner {
    private final SourceText source;
    private final String text;
    private int at;

    RuleScanner(SourceText source) {
        this.source = source;
        this.text = source.text();
    }

    SourceText source() {
        return source;
    }

    /** Returns the offset of the next character. */
    int offset() {
        return at;
    }

    void skipBlanks() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '#') {
                skipLine();
            } else if (Character.isWhitespace(c)) {
                at++;
            } else {
                return;
            }
        }
    }

    private void skipLine() {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
    }

    /** Skips the rest of a line, which may only have blanks, a comment and a semicolon. */
    void endLine() {
        while (at < text.length() && text.charAt(at) != '\n') {
            char c = text.charAt(at);
            if (c == '#') {
                skipLine();
            } else if (Character.isWhitespace(c) || c == ';') {
                at++;
            } else {
                throw unexpected("the end of the line");
            }
        }
    }

    boolean isAtEnd() {
        return at == text.length();
    }

    /** Returns whether {@code sign} is next. */
    boolean isAt(String sign) {
        return text.startsWith(sign, at);
    }

    /** Skips {@code sign} if it is next. */
    boolean skip(String sign) {
        boolean isSkipped = isAt(sign);
        if (isSkipped) {
            at += sign.length();
        }
        return isSkipped;
    }

    void expect(String sign) {
        if (!skip(sign)) {
            throw unexpected("'" + sign + "'");
        }
    }

    /** Returns the word that is next; empty if there is none. Signs inside belong to it. */
    Optional<String> word() {
        int start = at;
        while (isWordAt(at) || (at > start && isInside(at))) {
            at += Character.charCount(text.codePointAt(at));
        }
        return start == at ? Optional.empty() : Optional.of(text.substring(start, at));
    }

    /** Returns the name that is next. */
    String name(String expected) {
        return word().orElseThrow(() -> unexpected(expected));
    }

    private boolean isWordAt(int index) {
        return index < text.length()
                && (text.charAt(index) == '_'
                        || Tokenizer.isWordCharacter(text.codePointAt(index)));
    }

    private boolean isInside(int index) {
        return index < text.length()
                && "-.'".indexOf(text.charAt(index)) >= 0
                && isWordAt(index + 1);
    }

    /** Returns the text up to {@code end}, which is skipped. */
    String textTo(char end) {
        int close = text.indexOf(end, at);
        if (close < 0) {
            at = text.length();
            throw unexpected("'" + end + "'");
        }
        String inside = text.substring(at, close);
        at = close + 1;
        return inside;
    }

    /** Returns the words between double quotes; the first quote is next. */
    List<String> quoted() {
        int start = at;
        at++;
        var words = new ArrayList<>(List.of(textTo('"').strip().split("\\s+", -1)));
        words.removeIf(String::isEmpty);
        if (words.isEmpty()) {
            throw new RuleSyntaxException(source.at(start), "expected words between the quotes");
        }
        return words;
    }

    /** Moves back to {@code offset}. */
    void reset(int offset) {
        at = offset;
    }

    RuleSyntaxException unexpected(String expected) {
        String actual =
                isAtEnd()
                        ? "the end of the file"
                        : "'" + Character.toString(text.codePointAt(at)) + "'";
        return new RuleSyntaxException(
                source.at(at), "expected " + expected + " but found " + actual);
    }
}
