package org.crabro.container.http;

import java.util.List;
import java.util.Locale;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Unpacks the bodies of requests, whatever their method and path: this is the one place that knows
 * content encodings. Encodings other than gzip are answered with 415.
 */
public final class UnpackedBodies extends Handler.Wrapper {
    private static final String GZIP = "gzip";

    /** The name that HTTP keeps for older clients. */
    private static final String OLD_GZIP = "x-gzip";

    private static final String IDENTITY = "identity";

    public UnpackedBodies(Handler handler) {
        super(handler);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!request.getHeaders().contains(HttpHeader.CONTENT_ENCODING)) {
            return super.handle(request, response, callback);
        }
        List<String> encodings =
                request.getHeaders().getCSV(HttpHeader.CONTENT_ENCODING, false).stream()
                        .map(each -> each.toLowerCase(Locale.ROOT))
                        .filter(each -> !each.isEmpty() && !each.equals(IDENTITY))
                        .toList();
        if (encodings.isEmpty()) {
            return super.handle(request, response, callback);
        }
        if (encodings.size() > 1
                || !(encodings.getFirst().equals(GZIP) || encodings.getFirst().equals(OLD_GZIP))) {
            response.getHeaders().put(HttpHeader.ACCEPT_ENCODING, GZIP);
            JsonReply.sendProblem(
                    request,
                    response,
                    callback,
                    HttpStatus.UNSUPPORTED_MEDIA_TYPE_415,
                    "Content-Encoding: expected gzip or identity but found '%s'"
                            .formatted(String.join(", ", encodings)));
            return true;
        }
        var unpacked = new UnpackedRequest(request);
        Request.addCompletionListener(request, _ -> unpacked.packed());
        return super.handle(unpacked, response, callback);
    }
}
