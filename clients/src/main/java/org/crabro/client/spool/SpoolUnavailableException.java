package org.crabro.client.spool;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** This process cannot have a spool: a library or options of the JVM are missing. */
public final class SpoolUnavailableException extends IOException {
    private static final long serialVersionUID = 1;

    SpoolUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
