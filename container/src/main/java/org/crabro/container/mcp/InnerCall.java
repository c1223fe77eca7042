package org.crabro.container.mcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.crabro.document.memory.MemoryRefusedException;
import org.crabro.document.memory.MemoryShare;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * A call of an endpoint of the server inside a request, with the sender and the connection of that
 * request.
 *
 * @param handler of the endpoints
 * @param outer the request; its body was read
 */
record InnerCall(Handler handler, Request outer) {
    /** A longer answer is an error: a language model could not read it. */
    static final int ANSWER_BYTES_MAX = 4 << 20;

    /**
     * Copies of an answer: gathered in an array that grows, as a text of two bytes a character, and
     * as a part of the answer of the tool.
     */
    private static final int COPIES = 6;

    /** Headers that describe the body and the answer of the outer request. */
    private static final HttpHeader[] OF_OUTER = {
        HttpHeader.ACCEPT,
        HttpHeader.ACCEPT_ENCODING,
        HttpHeader.CONTENT_ENCODING,
        HttpHeader.CONTENT_LENGTH,
        HttpHeader.CONTENT_TYPE,
        HttpHeader.EXPECT,
        HttpHeader.TRANSFER_ENCODING
    };

    /** An answer. */
    record Reply(int status, String body) {
        boolean isSuccess() {
            return status >= 200 && status < 300;
        }
    }

    /** Answers a GET. Waits for the answer. */
    Reply get(String pathAndQuery) throws IOException, InterruptedException {
        return call("GET", pathAndQuery, new byte[0]);
    }

    /** Answers a POST of JSON. Waits for the answer. */
    Reply post(String pathAndQuery, byte[] json) throws IOException, InterruptedException {
        return call("POST", pathAndQuery, json);
    }

    private Reply call(String method, String pathAndQuery, byte[] body)
            throws IOException, InterruptedException {
        var done = new CompletableFuture<Void>();
        var request = new Inner(outer, method, pathAndQuery, body);
        var response = new Gathered(request);
        try {
            boolean isHandled =
                    handler.handle(
                            request,
                            response,
                            Callback.from(() -> done.complete(null), done::completeExceptionally));
            if (!isHandled) {
                return new Reply(404, "this server has no " + request.getHttpURI().getPath());
            }
            done.get();
            return new Reply(
                    response.getStatus() == 0 ? 200 : response.getStatus(),
                    response.bytes.toString(StandardCharsets.UTF_8));
        } catch (ExecutionException e) {
            response.throwRefusal();
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(String.valueOf(cause.getMessage()), e);
        } catch (IOException | InterruptedException | RuntimeException e) {
            response.throwRefusal();
            throw e;
        } catch (Exception e) {
            throw new IOException(e.toString(), e);
        }
    }

    /** The request that the endpoint sees. */
    private static final class Inner extends Request.Wrapper {
        private final String method;
        private final HttpURI uri;
        private final HttpFields headers;
        private final byte[] body;
        private boolean isGiven;

        Inner(Request outer, String method, String pathAndQuery, byte[] body) {
            super(outer);
            this.method = method;
            this.uri = HttpURI.build(outer.getHttpURI()).pathQuery(pathAndQuery).asImmutable();
            this.body = body;
            HttpFields.Mutable all = HttpFields.build(outer.getHeaders());
            for (HttpHeader header : OF_OUTER) {
                all.remove(header);
            }
            if (body.length > 0) {
                all.put(new HttpField(HttpHeader.CONTENT_TYPE, "application/json"));
                all.put(HttpHeader.CONTENT_LENGTH, body.length);
            }
            this.headers = all.asImmutable();
        }

        @Override
        public String getMethod() {
            return method;
        }

        @Override
        public HttpURI getHttpURI() {
            return uri;
        }

        @Override
        public HttpFields getHeaders() {
            return headers;
        }

        @Override
        public long getLength() {
            return body.length;
        }

        @Override
        public Content.Chunk read() {
            if (isGiven || body.length == 0) {
                return Content.Chunk.EOF;
            }
            isGiven = true;
            return Content.Chunk.from(ByteBuffer.wrap(body), true);
        }

        @Override
        public void demand(Runnable then) {
            then.run();
        }
    }

    /** Gathers the answer of the endpoint. */
    private static final class Gathered implements Response {
        private final Request request;
        private final HttpFields.Mutable headers = HttpFields.build();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final MemoryShare memory = MemoryShare.current();
        private @Nullable MemoryRefusedException refusal;
        private int status;
        private boolean isCommitted;
        private boolean isEnded;

        Gathered(Request request) {
            this.request = request;
        }

        /** Throws the reason if there was no memory for the answer. */
        void throwRefusal() {
            if (refusal != null) {
                throw refusal;
            }
        }

        @Override
        public Request getRequest() {
            return request;
        }

        @Override
        public int getStatus() {
            return status;
        }

        @Override
        public void setStatus(int code) {
            status = code;
        }

        @Override
        public HttpFields.Mutable getHeaders() {
            return headers;
        }

        @Override
        public @Nullable Supplier<HttpFields> getTrailersSupplier() {
            return null;
        }

        @Override
        public void setTrailersSupplier(Supplier<HttpFields> trailers) {
            // No endpoint that a tool calls has trailers.
        }

        @Override
        public boolean isCommitted() {
            return isCommitted;
        }

        @Override
        public boolean hasLastWrite() {
            return isEnded;
        }

        @Override
        public boolean isCompletedSuccessfully() {
            return isEnded;
        }

        @Override
        public void reset() {
            status = 0;
            headers.clear();
            bytes.reset();
        }

        @Override
        public CompletableFuture<Void> writeInterim(int code, HttpFields interim) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void write(boolean last, ByteBuffer content, Callback callback) {
            isCommitted = true;
            int length = BufferUtil.length(content);
            if (bytes.size() + length > ANSWER_BYTES_MAX) {
                callback.failed(
                        new IOException(
                                "the answer has more than %,d bytes; ask for fewer hits, documents or fields"
                                        .formatted(ANSWER_BYTES_MAX)));
                return;
            }
            try {
                memory.charge((long) COPIES * length);
            } catch (MemoryRefusedException e) {
                // The endpoint may write on another thread, or answer the exception itself.
                refusal = e;
                callback.failed(new IOException(e.getMessage(), e));
                return;
            }
            if (length > 0) {
                bytes.writeBytes(BufferUtil.toArray(content));
                BufferUtil.clear(content);
            }
            isEnded |= last;
            callback.succeeded();
        }
    }
}
