package org.crabro.container.document;

import java.io.IOException;
import org.crabro.container.http.ArrivingRequest;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers what is asked of many documents at once. */
public interface ManyDocuments {
    /**
     * Answers a request whose method {@code target} allows; blocks until that is done, and then has
     * completed {@code callback}.
     *
     * @param target a path that names no single document
     * @throws InvalidRequestException if the request cannot be answered as it is; nothing was
     *     answered then
     * @throws IOException if the client went away
     */
    void answer(
            ArrivingRequest request,
            Response response,
            Callback callback,
            DocumentPath target,
            DocumentParameters parameters)
            throws IOException;
}
