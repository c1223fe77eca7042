package org.crabro.tensor;

/**
 * The text of a tensor type or of a tensor value is not well formed. The message contains the
 * place.
 */
public final class TensorSyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Texts of vectors are long: no more than their start is shown. */
    private static final int SHOWN_CHARS = 60;

    public TensorSyntaxException(String message) {
        super(message);
    }

    /**
     * Returns that {@code problem} is at a character of {@code text}.
     *
     * @param index of the character, from 0 on; told from 1 on
     */
    public static TensorSyntaxException at(String text, int index, String problem) {
        String shown = text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "...";
        return new TensorSyntaxException(
                "at character " + (index + 1) + " of '" + shown + "': " + problem);
    }
}
