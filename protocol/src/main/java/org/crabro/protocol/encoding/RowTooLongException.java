package org.crabro.protocol.encoding;

/** More was put into a row than was foreseen. */
public final class RowTooLongException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RowTooLongException(int limit) {
        super("more than %,d bytes were put into a row".formatted(limit));
    }
}
