package org.crabro.protocol.encoding;

/**
 * Thrown if bytes from another process are not a valid message. The text contains the offset, the
 * expected and the found content. The connection must be closed.
 */
public final class WireFormatException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int offset;

    /** An exception at an offset in bytes from the start of the message. */
    public WireFormatException(int offset, String expected, String actual) {
        super("at byte %d: expected %s but found %s".formatted(offset, expected, actual));
        this.offset = offset;
    }

    /** Returns the offset in the message of the first wrong byte. */
    public int offset() {
        return offset;
    }
}
