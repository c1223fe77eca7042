package org.crabro.text;

import java.util.function.IntConsumer;

/**
 * A text that counts each read of a character as work. This is the only way to measure the work of
 * a library of regular expressions.
 *
 * @param text the text that is read
 * @param work receives units of 1 to 5 ns; may throw to end the match
 * @param charUnits the units of work for each read of a character
 */
public record WorkedText(String text, IntConsumer work, int charUnits) implements CharSequence {
    @Override
    public int length() {
        return text.length();
    }

    @Override
    public char charAt(int index) {
        work.accept(charUnits);
        return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.substring(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}
