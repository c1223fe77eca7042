package org.crabro.tensor;

import org.crabro.text.Excerpt;

/**
 * Thrown if the text of a tensor type or value has a syntax error. The message contains the
 * position.
 */
public final class TensorSyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The maximum number of characters of the text in a message. Texts of vectors are long. */
    private static final int SHOWN_CHARS = 60;

    public TensorSyntaxException(String message) {
        super(Excerpt.message(message));
    }

    /**
     * Returns an exception for an error at a character of {@code text}.
     *
     * @param index of the character, from 0; the message counts from 1
     */
    public static TensorSyntaxException at(String text, int index, String problem) {
        String shown = Excerpt.of(text, SHOWN_CHARS);
        return new TensorSyntaxException(
                "at character " + (index + 1) + " of '" + shown + "': " + problem);
    }
}
