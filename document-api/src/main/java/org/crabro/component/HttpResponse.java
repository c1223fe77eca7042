package org.crabro.component;

import java.io.OutputStream;

/** The answer to a request over HTTP; for the thread that handles it. */
public interface HttpResponse {
    /**
     * Sets the status, which is 200 otherwise.
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

    /** Returns where the body goes: sent as it is written, in pieces of some size. */
    OutputStream body();
}
