package org.crabro.protocol.encoding;

/** Thrown if a row exceeds its size limit. */
public final class RowTooLongException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RowTooLongException(int limit) {
        super("more than %,d bytes were put into a row".formatted(limit));
    }
}
