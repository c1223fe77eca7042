package org.crabro.container.http;

import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Rejects each request whose path has no {@linkplain RequestPath canonical form} with 400, before
 * anything decides by the path. Everything after this sees one form.
 */
final class CanonicalPaths extends Handler.Wrapper {
    /** No answer is a page or a script unless its type says so, whatever its text is. */
    static final HttpField NO_SNIFFING =
            new PreEncodedHttpField("X-Content-Type-Options", "nosniff");

    CanonicalPaths(Handler handler) {
        super(handler);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        response.getHeaders().put(NO_SNIFFING);
        try {
            check(request.getHttpURI());
            RequestPath.of(request).keepIn(request);
        } catch (NotCanonicalException e) {
            JsonReply.sendProblem(
                    request, response, callback, HttpStatus.BAD_REQUEST_400, e.getReason());
            return true;
        }
        return super.handle(request, response, callback);
    }

    private static void check(HttpURI uri) {
        if (uri.getUser() != null) {
            throw new NotCanonicalException("the address of a request may not contain a user");
        }
        if (uri.getFragment() != null) {
            throw new NotCanonicalException("a '#' in a path is sent as %23");
        }
    }
}
