package org.crabro.content.storage.file;

/**
 * Thrown to end a scan inside a row, if time is up, the client has disconnected, or the node is
 * being stopped. The results for that row are incomplete. It has no stack trace, since it is not an
 * error.
 */
public final class ScanStoppedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ScanStoppedException() {
        super("the scan was stopped inside a row", null, false, false);
    }
}
