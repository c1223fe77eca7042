package org.crabro.client.query;

import java.io.IOException;

/** A query names no group, and there is not exactly one. The message lists some of them. */
public final class UnclearGroupException extends IOException {
    private static final long serialVersionUID = 1;

    UnclearGroupException(String message) {
        super(message);
    }
}
