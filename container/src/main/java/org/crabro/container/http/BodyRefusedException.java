package org.crabro.container.http;

/** There is no memory for more of a body; the message says so to the client, which tries again. */
public final class BodyRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    BodyRefusedException(String message) {
        super(message);
    }
}
