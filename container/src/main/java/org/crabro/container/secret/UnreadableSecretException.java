package org.crabro.container.secret;

/** A secret exists and cannot be read. The message names it, and does not contain its value. */
public final class UnreadableSecretException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreadableSecretException(String message) {
        super(message);
    }

    UnreadableSecretException(String message, Throwable cause) {
        super(message, cause);
    }
}
