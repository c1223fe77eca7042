package org.crabro.container.document;

import java.io.IOException;
import org.crabro.container.http.ArrivingRequest;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers requests about many documents. */
public interface ManyDocuments {
    /**
     * Answers a request whose method {@code target} allows; blocks until the answer is sent, and
     * completes {@code callback}.
     *
     * @param target not a single document
     * @throws InvalidRequestException if the request is invalid; nothing was sent then
     * @throws IOException if the client has disconnected
     */
    void answer(
            ArrivingRequest request,
            Response response,
            Callback callback,
            DocumentPath target,
            DocumentParameters parameters)
            throws IOException;
}
