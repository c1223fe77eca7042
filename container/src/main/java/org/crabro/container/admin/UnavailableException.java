package org.crabro.container.admin;

import java.io.IOException;

/** No config server can do this now, or whether it was done is not known; a retry may succeed. */
public final class UnavailableException extends IOException {
    private static final long serialVersionUID = 1;

    /** The message is shown to clients. */
    public UnavailableException(String message) {
        super(message);
    }

    /** The message is shown to clients. */
    public UnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
