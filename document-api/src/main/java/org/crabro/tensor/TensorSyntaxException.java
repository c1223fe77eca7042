package org.crabro.tensor;

/** The text of a tensor type or of a tensor value is not well formed; the message says where. */
public final class TensorSyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public TensorSyntaxException(String message) {
        super(message);
    }
}
