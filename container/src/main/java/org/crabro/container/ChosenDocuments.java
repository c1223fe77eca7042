package org.crabro.container;

import java.io.IOException;
import org.crabro.container.bulk.BulkFeed;
import org.crabro.container.document.DocumentParameters;
import org.crabro.container.document.DocumentPath;
import org.crabro.container.document.ManyDocuments;
import org.crabro.container.http.ArrivingRequest;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Chooses the handler of requests about many documents: a bulk request names each document in a
 * line, every other request selects documents.
 */
record ChosenDocuments(BulkFeed bulk, ManyDocuments selections) implements ManyDocuments {
    @Override
    public void answer(
            ArrivingRequest request,
            Response response,
            Callback callback,
            DocumentPath target,
            DocumentParameters parameters)
            throws IOException {
        ManyDocuments chosen = BulkFeed.isAsked(request, parameters) ? bulk : selections;
        chosen.answer(request, response, callback, target, parameters);
    }
}
