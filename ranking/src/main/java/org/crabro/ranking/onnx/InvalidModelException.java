package org.crabro.ranking.onnx;

/**
 * A model or a tokenizer cannot be used as configured. The message names the file and the reason.
 * It is shown unchanged to the user who deploys.
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
