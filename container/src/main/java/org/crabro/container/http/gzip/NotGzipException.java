package org.crabro.container.http.gzip;

/** Bytes are not gzip. The message says why, without their value. */
public final class NotGzipException extends Exception {
    private static final long serialVersionUID = 1;

    NotGzipException(String message) {
        super(message);
    }
}
