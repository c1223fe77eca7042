package org.crabro.document.predicate;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Parses predicates, and passes on their parts or evaluates them on the way. It allocates memory
 * only to grow its buffer. For one thread.
 *
 * <pre>
 *   predicate   := disjunction
 *   disjunction := conjunction { "or" conjunction }
 *   conjunction := factor { "and" factor }
 *   factor      := [ "not" ] "(" disjunction ")" | "true" | "false" | leaf
 *   leaf        := value [ "not" ] "in" ( value | "[" value { "," value } "]" | range )
 *   range       := "[" [ integer ] ".." [ integer ] "]"
 *   value       := ( letter | digit | "_" )+ | a text in ' or "
 * </pre>
 *
 * <p>Letters and digits are of ASCII. In quotes, {@code \} precedes a quote, another {@code \}, one
 * of {@code n t f r}, or {@code x} with two hexadecimal digits. Key words may be in upper case.
 */
public final class PredicateReader {
    /** Parentheses may be nested as deeply. */
    public static final int DEPTH_MAX = 100;

    /** The longest predicate in bytes of UTF-8. */
    public static final int LENGTH_MAX = 1 << 20;

    /** Separates an attribute from its value; neither contains it. */
    public static final byte SEPARATOR = 0;

    /** The attributes of a query. */
    public interface Attributes {
        /**
         * Returns whether an attribute has a value.
         *
         * @param term the name, {@link #SEPARATOR} and the value, in the first {@code length} bytes
         */
        boolean has(byte[] term, int length);

        /**
         * Returns whether an attribute has a number in a range.
         *
         * @param name in the first {@code length} bytes
         * @param low the least number
         * @param high the largest number
         */
        boolean isWithin(byte[] name, int length, long low, long high);
    }

    /**
     * Receives the parts of a predicate from the inside out, each once. It answers with a number
     * for the part, at least 0, by which the parts around refer to it.
     */
    public interface Parts {
        /** A constant. */
        int constant(boolean isTrue);

        /** An attribute has a value. Parameters are those of {@link Attributes#has}. */
        int has(byte[] term, int length);

        /**
         * An attribute has a number in a range. Parameters are those of {@link
         * Attributes#isWithin}.
         */
        int within(byte[] name, int length, long low, long high);

        /** Two parts are true. */
        int and(int one, int other);

        /** One of two parts is true. */
        int or(int one, int other);

        /** A part is false. */
        int not(int part);
    }

    /** The answer for a text that is no predicate. */
    public static final int INVALID = -1;

    private static final Attributes NONE =
            new Attributes() {
                @Override
                public boolean has(byte[] term, int length) {
                    return false;
                }

                @Override
                public boolean isWithin(byte[] name, int length, long low, long high) {
                    return false;
                }
            };

    /** Evaluates parts: 1 is true, 0 is false. */
    private static final class Truth implements Parts {
        private Attributes attributes = NONE;

        @Override
        public int constant(boolean isTrue) {
            return isTrue ? 1 : 0;
        }

        @Override
        public int has(byte[] term, int length) {
            return attributes.has(term, length) ? 1 : 0;
        }

        @Override
        public int within(byte[] name, int length, long low, long high) {
            return attributes.isWithin(name, length, low, high) ? 1 : 0;
        }

        @Override
        public int and(int one, int other) {
            return one & other;
        }

        @Override
        public int or(int one, int other) {
            return one | other;
        }

        @Override
        public int not(int part) {
            return 1 - part;
        }
    }

    private final Truth truth = new Truth();
    private byte[] text = {};
    private int end;
    private int at;
    private int depth;
    private byte[] term = new byte[64];
    private int length;
    private Parts parts = truth;

    /** What was expected at {@link #at}; empty as long as the text is a predicate. */
    private String expected = "";

    /** A reader to be used many times, by one thread at a time. */
    public PredicateReader() {}

    /**
     * Returns whether the first {@code count} bytes are a predicate that is true for some
     * attributes.
     */
    public boolean test(byte[] utf8, int count, Attributes of) {
        truth.attributes = of;
        return read(utf8, count, truth) == 1;
    }

    /**
     * Passes on the parts of the predicate in the first {@code count} bytes.
     *
     * @param into receives them; parts before an error too, if the text is no predicate
     * @return the number of the whole, or {@link #INVALID} if the text is no predicate
     */
    public int read(byte[] utf8, int count, Parts into) {
        text = utf8;
        end = count;
        at = 0;
        depth = 0;
        expected = "";
        parts = into;
        int whole = disjunction();
        if (isOk() && at < end) {
            fail("and, or, or the end");
        }
        return isOk() ? whole : INVALID;
    }

    /** Returns why a text is no predicate; empty if it is one. */
    public static Optional<String> problem(String predicate) {
        byte[] utf8 = predicate.getBytes(StandardCharsets.UTF_8);
        if (utf8.length > LENGTH_MAX) {
            return Optional.of(
                    "a predicate of %d bytes; at most %d are possible"
                            .formatted(utf8.length, LENGTH_MAX));
        }
        var reader = new PredicateReader();
        reader.test(utf8, utf8.length, NONE);
        return reader.isOk()
                ? Optional.empty()
                : Optional.of(
                        "expected %s at byte %d of the predicate"
                                .formatted(reader.expected, reader.at));
    }

    private boolean isOk() {
        return expected.isEmpty();
    }

    /** Ends the parse; the methods that follow return at once. */
    private boolean fail(String what) {
        if (isOk()) {
            expected = what;
        }
        return false;
    }

    private int disjunction() {
        int all = conjunction();
        while (isOk() && word("or")) {
            int next = conjunction();
            all = isOk() ? parts.or(all, next) : INVALID;
        }
        return all;
    }

    private int conjunction() {
        int all = factor();
        while (isOk() && word("and")) {
            int next = factor();
            all = isOk() ? parts.and(all, next) : INVALID;
        }
        return all;
    }

    private int factor() {
        skipBlanks();
        if (is('(')) {
            return nested();
        }
        int start = at;
        if (word("not")) {
            skipBlanks();
            if (is('(')) {
                int inner = nested();
                return isOk() ? parts.not(inner) : INVALID;
            }
            at = start;
        }
        for (boolean constant : new boolean[] {true, false}) {
            if (word(Boolean.toString(constant))) {
                if (!word("in") && !word("not")) {
                    return parts.constant(constant);
                }
                // It is the name of an attribute.
                at = start;
            }
        }
        return leaf();
    }

    private int nested() {
        if (depth == DEPTH_MAX) {
            fail("at most %d nested parentheses".formatted(DEPTH_MAX));
            return INVALID;
        }
        depth++;
        at++;
        int inner = disjunction();
        depth--;
        return isOk() && expect(')') ? inner : INVALID;
    }

    private int leaf() {
        length = 0;
        if (!value("an attribute, true, false, or (")) {
            return INVALID;
        }
        int name = length;
        boolean isNegated = word("not");
        if (!word("in")) {
            fail("in");
            return INVALID;
        }
        int condition = values(name);
        return isOk() && isNegated ? parts.not(condition) : condition;
    }

    /** Reads the values of the attribute in the first {@code name} bytes of {@link #term}. */
    private int values(int name) {
        skipBlanks();
        if (!is('[')) {
            return element(name);
        }
        int start = ++at;
        int any;
        long low = integer(Long.MIN_VALUE);
        skipBlanks();
        if (isOk() && startsWith("..")) {
            at += 2;
            long high = integer(Long.MAX_VALUE);
            any = isOk() ? parts.within(term, name, low, high) : INVALID;
        } else {
            expected = "";
            at = start;
            any = element(name);
            while (isOk() && next(',')) {
                int next = element(name);
                any = isOk() ? parts.or(any, next) : INVALID;
            }
        }
        return isOk() && expect(']') ? any : INVALID;
    }

    /** Passes on that the attribute in the first {@code name} bytes has the next value. */
    private int element(int name) {
        length = name;
        append(SEPARATOR);
        return value("a value") ? parts.has(term, length) : INVALID;
    }

    /** Reads a value behind the bytes that {@link #term} has. */
    private boolean value(String what) {
        skipBlanks();
        if (is('\'') || is('"')) {
            return quoted(text[at++]);
        }
        int start = at;
        while (at < end && isAlphanumeric(text[at])) {
            append(text[at++]);
        }
        return at > start || fail(what);
    }

    private boolean quoted(byte quote) {
        while (at < end && text[at] != quote) {
            byte next = text[at++];
            if (next == SEPARATOR) {
                return fail("no byte 0");
            }
            if (next == '\\') {
                if (!escaped()) {
                    return fail("a character that \\ may precede");
                }
            } else {
                append(next);
            }
        }
        return expect((char) quote);
    }

    private boolean escaped() {
        if (at == end) {
            return false;
        }
        byte next = text[at++];
        switch (next) {
            case '\\', '\'', '"' -> append(next);
            case 'n' -> append((byte) '\n');
            case 't' -> append((byte) '\t');
            case 'f' -> append((byte) '\f');
            case 'r' -> append((byte) '\r');
            case 'x' -> {
                int high = at + 1 < end ? Character.digit(text[at], 16) : -1;
                int low = at + 1 < end ? Character.digit(text[at + 1], 16) : -1;
                if (high < 0 || low < 0 || high + low == SEPARATOR) {
                    return false;
                }
                append((byte) (high << 4 | low));
                at += 2;
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void append(byte next) {
        if (length == term.length) {
            term = Arrays.copyOf(term, 2 * length);
        }
        term[length++] = next;
    }

    /** Reads a number, or returns {@code otherwise} if there is none. */
    private long integer(long otherwise) {
        skipBlanks();
        boolean isNegative = is('-');
        int start = isNegative || is('+') ? at + 1 : at;
        int behind = start;
        long number = 0;
        while (behind < end && text[behind] >= '0' && text[behind] <= '9') {
            int digit = text[behind++] - '0';
            if (number < (Long.MIN_VALUE + digit) / 10) {
                fail("a number of 64 bits");
                return otherwise;
            }
            // Negative, since there is one more negative number than positive ones.
            number = 10 * number - digit;
        }
        if (behind == start) {
            return otherwise;
        }
        if (!isNegative && number == Long.MIN_VALUE) {
            fail("a number of 64 bits");
            return otherwise;
        }
        at = behind;
        return isNegative ? number : -number;
    }

    /** Reads a key word, if it is next. */
    private boolean word(String word) {
        skipBlanks();
        int behind = at + word.length();
        if (behind > end || (behind < end && isAlphanumeric(text[behind]))) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if ((text[at + i] | 0x20) != word.charAt(i)) {
                return false;
            }
        }
        at = behind;
        return true;
    }

    private boolean next(char sign) {
        skipBlanks();
        if (!is(sign)) {
            return false;
        }
        at++;
        return true;
    }

    private boolean expect(char sign) {
        return next(sign) || fail(Character.toString(sign));
    }

    private boolean is(char sign) {
        return at < end && text[at] == sign;
    }

    private boolean startsWith(String signs) {
        return at + 1 < end && text[at] == signs.charAt(0) && text[at + 1] == signs.charAt(1);
    }

    private void skipBlanks() {
        while (at < end && (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r'))) {
            at++;
        }
    }

    private static boolean isAlphanumeric(byte next) {
        return (next >= 'a' && next <= 'z')
                || (next >= 'A' && next <= 'Z')
                || (next >= '0' && next <= '9')
                || next == '_';
    }
}
