package org.crabro.content.query;

/**
 * A scan ended inside a row: time is up, the client has left, or the node is being stopped. What
 * was done to the row is of no use. Has no stack trace, since it is no error.
 */
public final class ScanStoppedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ScanStoppedException() {
        super("the scan was stopped inside a row", null, false, false);
    }
}
