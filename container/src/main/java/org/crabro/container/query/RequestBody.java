package org.crabro.container.query;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.crabro.container.http.GatheredRequest;
import org.crabro.document.memory.ValueMeter;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;

/** Reads the parameters of a request. Those of the URL override those of the body. */
public final class RequestBody {
    private static final int STEP_BYTES = 64 * 1024;

    /** Arrays of a body while it is received: the one that grows, and its copy. */
    private static final int COPIES = 3;

    /** Bytes of a character of JSON as text. */
    private static final int CHARACTER = 2;

    private RequestBody() {}

    /**
     * Returns the parameters. Blocks until the body has been received.
     *
     * @param maxBytes a longer body is rejected
     * @param share counts the memory of the body
     * @throws IllegalQueryException if the body is too long or not well formed, or there are too
     *     many parameters
     * @throws org.crabro.document.memory.MemoryRefusedException if there is no memory for them
     */
    public static Parameters parameters(Request request, int maxBytes, BodyBudget.Share share)
            throws IOException {
        var values = new ParameterValues();
        if (HttpMethod.POST.is(request.getMethod())) {
            ByteBuffer body = body(request, maxBytes, share);
            String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
            if (isJson(type == null ? "" : type)) {
                JsonBody.parameters(text(body), values);
            } else {
                decode(values, each -> UrlParameters.decode(body, each));
            }
        }
        String query = request.getHttpURI().getQuery();
        if (query != null) {
            decode(values, each -> UrlParameters.decode(query, each));
        }
        return new Parameters(values.values());
    }

    /** Returns all bytes of the body in a buffer with an array. */
    private static ByteBuffer body(Request request, int maxBytes, BodyBudget.Share share)
            throws IOException {
        GatheredRequest gathered = Request.as(request, GatheredRequest.class);
        if (gathered != null && gathered.isWhole()) {
            ByteBuffer body = gathered.whole();
            checkLength(body.remaining(), maxBytes);
            return body;
        }
        var body = new ByteArrayOutputStream();
        var memory = new ValueMeter();
        try (InputStream in = share.stream(request)) {
            var step = new byte[STEP_BYTES];
            for (int count = in.read(step); count >= 0; count = in.read(step)) {
                memory.add((long) COPIES * count);
                body.write(step, 0, count);
                checkLength(body.size(), maxBytes);
                share.receive(body.size());
            }
            share.complete();
            return ByteBuffer.wrap(body.toByteArray());
        }
    }

    private static void checkLength(int bytes, int maxBytes) {
        if (bytes > maxBytes) {
            throw new IllegalQueryException(
                    ErrorCode.CONTENT_TOO_LARGE,
                    "the body of a search may have %d bytes".formatted(maxBytes));
        }
    }

    private static String text(ByteBuffer body) {
        new ValueMeter().add((long) CHARACTER * body.remaining());
        int from = body.arrayOffset() + body.position();
        return new String(body.array(), from, body.remaining(), StandardCharsets.UTF_8);
    }

    private static boolean isJson(String contentType) {
        return contentType
                .split(";", 2)[0]
                .strip()
                .toLowerCase(Locale.ROOT)
                .equals("application/json");
    }

    private static void decode(
            ParameterValues values, Consumer<BiConsumer<String, String>> decoding) {
        try {
            decoding.accept(values::put);
        } catch (IllegalArgumentException e) {
            throw new IllegalQueryException(
                    ErrorCode.BAD_REQUEST,
                    "the parameters are not encoded as URLs are: " + e.getMessage());
        }
    }
}
