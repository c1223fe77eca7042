package org.crabro.protocol.encoding;

/** More was put into a row than was foreseen. */
public final class RowTooLongException extends RuntimeException {
    RowTooLongException(int limit) {
        super("more than %,d bytes were put into a row".formatted(limit));
    }
}
