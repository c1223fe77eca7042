package org.crabro.container.http;

import java.io.IOException;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;

/** The body of a request cannot be read, for a reason that its client gets. */
public final class UnusableBodyException extends IOException implements HttpException {
    private static final long serialVersionUID = 1;

    private final int status;

    private UnusableBodyException(int status, String message) {
        super(message);
        this.status = status;
    }

    /** Returns the failure of a body that comes more slowly than the server accepts. */
    static UnusableBodyException tooSlow(String message) {
        return new UnusableBodyException(HttpStatus.REQUEST_TIMEOUT_408, message);
    }

    /**
     * Returns the failure of a body that is not compressed as its content encoding declares.
     *
     * @param reason what is wrong with the bytes
     */
    static UnusableBodyException notCompressed(String reason) {
        return new UnusableBodyException(
                HttpStatus.BAD_REQUEST_400,
                "the body is not compressed with gzip, as its content encoding declares: %s"
                        .formatted(reason));
    }

    /** Returns whether the body comes too slowly. */
    public boolean isTooSlow() {
        return status == HttpStatus.REQUEST_TIMEOUT_408;
    }

    @Override
    public int getCode() {
        return status;
    }

    @Override
    public String getReason() {
        return String.valueOf(getMessage());
    }
}
