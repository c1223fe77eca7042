package org.crabro.content.search.group;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.protocol.grouping.GroupFunction;

/**
 * Functions that compute a string or bytes from each value: conversions, substrings, digests. For
 * one thread.
 */
final class TextFunction extends Evaluator {
    private static final Pattern NUMBER =
            Pattern.compile("[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?");

    private final GroupFunction function;
    private final Evaluator operand;
    private final int bits;
    private final Bytes bytes = new Bytes();
    private final MessageDigest md5;

    /**
     * @param bits the number of bits of digests
     */
    TextFunction(GroupFunction function, ValueKind kind, Evaluator operand, int bits) {
        super(kind, operand);
        this.function = function;
        this.operand = operand;
        this.bits = bits;
        try {
            this.md5 = MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every platform has MD5", e);
        }
    }

    @Override
    Values evaluate(RowBatch batch) {
        Values from = operand.evaluate(batch);
        values.shape(from);
        int size = from.size();
        for (int i = 0; i < size; i++) {
            bytes.clear();
            switch (function) {
                case TO_STRING -> addText(bytes, from, i, batch.texts);
                case NORMALIZE_SUBJECT -> addSubject(batch.texts, from.texts[i]);
                case MD5 -> addDigest(from, i, batch.texts);
                case XOR_BIT -> addFolded(from, i, batch.texts);
                default -> addBytes(bytes, from, i, operand.width, batch.texts);
            }
            values.texts[i] = batch.texts.number(bytes.array(), 0, bytes.length());
        }
        return values;
    }

    /** Appends a value in decimal or textual form. */
    static void addText(Bytes into, Values from, int index, TextPool texts) {
        switch (from.kind) {
            case WHOLE -> into.add(Long.toString(from.longs[index]));
            case TRUTH -> into.add(from.longs[index] != 0 ? "true" : "false");
            case REAL -> into.add(shortest(from.doubles[index]));
            case TEXT, RAW -> into.add(texts, from.texts[index]);
        }
    }

    private static String shortest(double number) {
        String text = Double.toString(number);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    /** Appends a value as bytes, numbers with the most significant byte first. */
    static void addBytes(Bytes into, Values from, int index, int width, TextPool texts) {
        switch (from.kind) {
            case WHOLE -> into.addNumber(from.longs[index], width);
            case TRUTH -> into.addNumber(from.longs[index], 1);
            case REAL -> into.addNumber(Double.doubleToLongBits(from.doubles[index]), LONG_WIDTH);
            case TEXT, RAW -> into.add(texts, from.texts[index]);
        }
    }

    private void addSubject(TextPool texts, int number) {
        String text = texts.text(number);
        for (String prefix : new String[] {"Re: ", "Fwd: ", "Fw: "}) {
            if (text.regionMatches(true, 0, prefix, 0, prefix.length())
                    && text.charAt(0) == prefix.charAt(0)) {
                bytes.add(text.substring(prefix.length()));
                return;
            }
        }
        bytes.add(texts, number);
    }

    private void addDigest(Values from, int index, TextPool texts) {
        addBytes(bytes, from, index, operand.width, texts);
        md5.update(bytes.array(), 0, bytes.length());
        byte[] digest = md5.digest();
        bytes.clear();
        bytes.add(digest, 0, Math.min(digest.length, bits / Byte.SIZE));
    }

    private void addFolded(Values from, int index, TextPool texts) {
        addBytes(bytes, from, index, operand.width, texts);
        var folded = new byte[bits / Byte.SIZE];
        for (int i = 0; i < bytes.length(); i++) {
            folded[i % folded.length] ^= bytes.array()[i];
        }
        bytes.clear();
        bytes.add(folded, 0, folded.length);
    }

    /** Parses the whole number at the start of a text, as in C; 0 if there is none. */
    static long leadingWhole(String text) {
        String trimmed = text.strip();
        boolean negative = trimmed.startsWith("-");
        int at = negative || trimmed.startsWith("+") ? 1 : 0;
        int radix = 10;
        if (trimmed.regionMatches(true, at, "0x", 0, 2)) {
            radix = 16;
            at += 2;
        } else if (trimmed.startsWith("0", at)) {
            radix = 8;
        }
        long number = 0;
        for (; at < trimmed.length(); at++) {
            int digit = trimmed.charAt(at) < 128 ? Character.digit(trimmed.charAt(at), radix) : -1;
            if (digit < 0) {
                break;
            }
            if (number > (Long.MAX_VALUE - digit) / radix) {
                return negative ? Long.MIN_VALUE : Long.MAX_VALUE;
            }
            number = number * radix + digit;
        }
        return negative ? -number : number;
    }

    /** Parses the number at the start of a text; 0 if there is none. */
    static double leadingReal(String text) {
        String trimmed = text.strip();
        Matcher number = NUMBER.matcher(trimmed);
        return number.lookingAt() ? Double.parseDouble(number.group()) : 0;
    }
}
