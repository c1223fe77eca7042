package org.crabro.container.admin;

import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Gives forwarded requests the address to which their clients sent them, for URLs in answers. */
final class ForwardedRequests extends Handler.Wrapper {
    /** The headers with the address: scheme, host, and port. */
    static final String SCHEME = "X-Forwarded-Proto";

    static final String HOST = "X-Forwarded-Host";
    static final String PORT = "X-Forwarded-Port";

    ForwardedRequests(Handler handler) {
        super(handler);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        @Nullable String scheme = request.getHeaders().get(SCHEME);
        @Nullable String host = request.getHeaders().get(HOST);
        @Nullable String port = request.getHeaders().get(PORT);
        if (scheme == null || host == null || port == null || !port.matches("[0-9]{1,5}")) {
            return super.handle(request, response, callback);
        }
        HttpURI uri =
                HttpURI.build(request.getHttpURI())
                        .scheme(scheme)
                        .host(host)
                        .port(Integer.parseInt(port))
                        .asImmutable();
        return super.handle(
                new Request.Wrapper(request) {
                    @Override
                    public HttpURI getHttpURI() {
                        return uri;
                    }
                },
                response,
                callback);
    }
}
