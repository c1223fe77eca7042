package org.crabro.client.query;

import java.io.IOException;

/** A query names a group without documents. The message has the most similar name. */
public final class UnknownGroupException extends IOException {
    private static final long serialVersionUID = 1;

    UnknownGroupException(String message) {
        super(message);
    }
}
