package org.crabro.container.http;

/** No memory is left for a body. The message is sent to the client, which retries. */
public final class BodyRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    BodyRefusedException(String message) {
        super(message);
    }
}
