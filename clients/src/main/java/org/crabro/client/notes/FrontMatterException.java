package org.crabro.client.notes;

/** Front matter cannot be read. The message says why, and in which line. */
public final class FrontMatterException extends Exception {
    private static final long serialVersionUID = 1L;

    FrontMatterException(String message) {
        super(message);
    }
}
