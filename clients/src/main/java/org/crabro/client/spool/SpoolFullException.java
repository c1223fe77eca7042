package org.crabro.client.spool;

import java.io.IOException;

/** A spool has no room for a record, which it has not accepted. */
public final class SpoolFullException extends IOException {
    private static final long serialVersionUID = 1;

    SpoolFullException(String message) {
        super(message);
    }
}
