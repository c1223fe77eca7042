package org.crabro.container.search;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/** Reads the parameters of a request: those of the URL, over those of the body. */
final class RequestBody {
    private RequestBody() {}

    /**
     * Blocks until the body is there.
     *
     * @param maxBytes a longer body is refused
     * @param share pays for the body
     * @throws IllegalQueryException if the body is too long or not what its type says
     */
    static Parameters parameters(Request request, int maxBytes, BodyBudget.Share share)
            throws IOException {
        var values = new LinkedHashMap<String, String>();
        if (HttpMethod.POST.is(request.getMethod())) {
            String body = body(request, maxBytes, share);
            String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
            if (isJson(type == null ? "" : type)) {
                values.putAll(JsonBody.parameters(body));
            } else {
                decode(body, values);
            }
        }
        String query = request.getHttpURI().getQuery();
        if (query != null) {
            decode(query, values);
        }
        return new Parameters(values);
    }

    private static String body(Request request, int maxBytes, BodyBudget.Share share)
            throws IOException {
        var body = new ByteArrayOutputStream();
        try (InputStream in = Content.Source.asInputStream(request)) {
            share.take();
            for (byte[] step = in.readNBytes(BodyBudget.STEP_BYTES);
                    step.length > 0;
                    step = in.readNBytes(BodyBudget.STEP_BYTES)) {
                body.writeBytes(step);
                if (body.size() > maxBytes) {
                    throw new IllegalQueryException(
                            ErrorCode.CONTENT_TOO_LARGE,
                            "the body of a search may have %d bytes".formatted(maxBytes));
                }
                if (step.length == BodyBudget.STEP_BYTES) {
                    share.take();
                }
            }
            return body.toString(StandardCharsets.UTF_8);
        }
    }

    private static boolean isJson(String contentType) {
        return contentType
                .split(";", 2)[0]
                .strip()
                .toLowerCase(Locale.ROOT)
                .equals("application/json");
    }

    /** A name said before is said anew: the last one wins, at its own place. */
    private static void decode(String encoded, Map<String, String> values) {
        try {
            UrlParameters.decode(
                    encoded,
                    (name, value) -> {
                        values.remove(name);
                        values.put(name, value);
                    });
        } catch (IllegalArgumentException e) {
            throw new IllegalQueryException(
                    ErrorCode.BAD_REQUEST,
                    "the parameters are not encoded as URLs are: " + e.getMessage());
        }
    }
}
