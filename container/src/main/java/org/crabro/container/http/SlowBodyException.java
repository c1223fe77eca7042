package org.crabro.container.http;

import java.io.IOException;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;

/** A client sends the body of a request more slowly than the server accepts. */
public final class SlowBodyException extends IOException implements HttpException {
    private static final long serialVersionUID = 1;

    SlowBodyException(String message) {
        super(message);
    }

    @Override
    public int getCode() {
        return HttpStatus.REQUEST_TIMEOUT_408;
    }

    @Override
    public String getReason() {
        return String.valueOf(getMessage());
    }
}
