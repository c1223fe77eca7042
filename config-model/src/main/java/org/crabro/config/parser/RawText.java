package org.crabro.config.parser;

/**
 * Text that another language reads: a rank expression, a feature or a tensor value.
 *
 * @param at the place of the first character
 * @param text not blank, without blanks around it
 */
public record RawText(SourcePosition at, String text) {
    /** Returns the place of the character at {@code index} of the text. */
    public SourcePosition at(int index) {
        return at.plus(index);
    }
}
