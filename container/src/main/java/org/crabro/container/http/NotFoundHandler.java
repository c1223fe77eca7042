package org.crabro.container.http;

import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** The last handler of a sequence: answers that the path does not exist. */
public final class NotFoundHandler extends Handler.Abstract.NonBlocking {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        JsonReply.send(
                response,
                callback,
                HttpStatus.NOT_FOUND_404,
                "message",
                "nothing is served at " + RequestPath.of(request).text());
        return true;
    }
}
