package org.crabro.config.application;

/** A file at a URI was not fetched. The message says why, and does not contain the URI. */
public final class RemoteFileException extends Exception {
    private static final long serialVersionUID = 1L;

    public RemoteFileException(String message) {
        super(message);
    }
}
