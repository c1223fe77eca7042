package org.crabro.container.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.http.HttpResponse;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Passes the body of another server's answer on to the client while it arrives. */
public final class PassedBody {
    private PassedBody() {}

    /**
     * Sends the body, none for a HEAD request, and completes the callback. Blocks meanwhile.
     *
     * @param response has its status and headers
     */
    public static void send(
            HttpResponse<InputStream> answer,
            Request request,
            Response response,
            Callback callback) {
        try (InputStream from = answer.body();
                OutputStream to = Content.Sink.asOutputStream(response)) {
            if (!HttpMethod.HEAD.is(request.getMethod())) {
                from.transferTo(to);
            }
        } catch (IOException e) {
            callback.failed(e);
            return;
        }
        callback.succeeded();
    }
}
