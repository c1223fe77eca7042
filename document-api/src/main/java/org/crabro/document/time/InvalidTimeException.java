package org.crabro.document.time;

/** Thrown for a text that is no time. The message contains the text and what was expected. */
public final class InvalidTimeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    InvalidTimeException(String message) {
        super(message);
    }
}
