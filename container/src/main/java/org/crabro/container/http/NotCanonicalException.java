package org.crabro.container.http;

import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;

/** Reports that the path of a request has no canonical form. The client receives the message. */
public final class NotCanonicalException extends HttpException.RuntimeException {
    private static final long serialVersionUID = 1;

    NotCanonicalException(String message) {
        super(HttpStatus.BAD_REQUEST_400, message);
    }

    NotCanonicalException(String message, Throwable cause) {
        super(HttpStatus.BAD_REQUEST_400, message, cause);
    }
}
