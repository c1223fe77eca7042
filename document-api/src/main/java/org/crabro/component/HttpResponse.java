package org.crabro.component;

import java.io.OutputStream;

/** The response to an HTTP request. For the thread that handles it. */
public interface HttpResponse {
    /**
     * Sets the status. The default is 200.
     *
     * @param status 200 to 599
     * @throws IllegalStateException if part of the body was sent already
     */
    void status(int status);

    /**
     * Adds a value of a header.
     *
     * @throws IllegalStateException if part of the body was sent already
     */
    void header(String name, String value);

    /** Returns the stream of the body. Written bytes are sent in chunks. */
    OutputStream body();
}
