package org.crabro.protocol.encoding;

/**
 * Bytes that came from another process are not the message they should be; the message names the
 * place, what was expected and what was found. The connection they came over is not to be trusted
 * any further.
 */
public final class WireFormatException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int offset;

    WireFormatException(int offset, String expected, String found) {
        super("at byte %d: expected %s but found %s".formatted(offset, expected, found));
        this.offset = offset;
    }

    /** Returns how many bytes from the message's start the first wrong one is. */
    public int offset() {
        return offset;
    }
}
