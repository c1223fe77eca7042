package org.crabro.ranking.onnx;

/**
 * A model or a tokenizer cannot be used as configured. The message says what is wrong with which
 * file, and goes to the person who deploys, as it is.
 */
public final class InvalidModelException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public InvalidModelException(String message) {
        super(message);
    }

    InvalidModelException(String message, Throwable cause) {
        super(message, cause);
    }
}
