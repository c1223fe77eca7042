package org.crabro.container.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.http2.HTTP2Stream;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Blocker;
import org.eclipse.jetty.util.Callback;

/**
 * Reads and drops the rest of a body. If the server closed the connection or the stream while the
 * client sends, the client could lose the answer and its next request.
 */
public final class UnreadBody {
    /**
     * The maximum number of bytes that are read before the answer; for longer bodies, an answer
     * over HTTP/1.1 closes the connection and has a header that announces it.
     */
    private static final int BYTES_MAX = 1 << 20;

    /**
     * The maximum number of bytes that are read after such an answer. Most clients send a whole
     * body before they read, and would otherwise find a closed connection instead of the answer.
     */
    private static final int LATE_BYTES_MAX = 256 << 20;

    private static final int PIECE = 8 << 10;

    private static final String CLOSE = HttpHeaderValue.CLOSE.asString();

    private UnreadBody() {}

    /**
     * Sends an answer, and reads the rest of the body: a short rest before the answer, a long one
     * after it. Blocks while the client sends.
     *
     * @param answer sends it and completes the callback
     */
    public static void drain(
            Request request, Response response, Callback callback, Consumer<Callback> answer) {
        boolean waits =
                request.getHeaders()
                        .contains(HttpHeader.EXPECT, HttpHeaderValue.CONTINUE.asString());
        // The rest of a body that has given way may never arrive.
        boolean isGivenUp = request instanceof ArrivingRequest arriving && arriving.isGivenUp();
        UnpackedRequest unpacked = Request.as(request, UnpackedRequest.class);
        // Unpacked bytes of the rest are of no use.
        Request sent = unpacked == null || isGivenUp ? request : unpacked.packed();
        InputStream body = Content.Source.asInputStream(sent);
        if (!waits && !isGivenUp && sent.getLength() <= BYTES_MAX && drain(body, BYTES_MAX)) {
            answer.accept(callback);
            return;
        }
        if (isFirstVersion(request)) {
            response.getHeaders().put(HttpHeader.CONNECTION, CLOSE);
        }
        if (waits) {
            // No more bytes arrive.
            answer.accept(callback);
            return;
        }
        try (Blocker.Callback done = Blocker.callback()) {
            answer.accept(done);
            done.block();
        } catch (IOException e) {
            callback.failed(e);
            return;
        }
        drain(body, LATE_BYTES_MAX);
        callback.succeeded();
    }

    /**
     * Discards the bytes of a body that have arrived. If more are missing, the answer over HTTP/1.1
     * gets the header {@code Connection: close}, so that the client sends no further request over
     * this connection. Does not block.
     */
    static void drop(Request request, Response response) {
        if (!request.consumeAvailable() && isFirstVersion(request)) {
            response.getHeaders().put(HttpHeader.CONNECTION, CLOSE);
        }
    }

    private static boolean isFirstVersion(Request request) {
        return request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_1;
    }

    /**
     * Returns a handler whose clients get answers that are complete before the body.
     *
     * <p>Over HTTP/1.1 Jetty closes the connection after such an answer. The answer says so here,
     * so that the client does not send its next request over this connection, see RFC 9112, section
     * 9.6. Over HTTP/2 Jetty would cancel the stream, and a client that still sends may drop the
     * answer of a stream that ends with an error, see RFC 9113, section 8.1. Here the stream ends
     * without an error.
     */
    static Handler keepingAnswers(Handler handler) {
        return new Handler.Wrapper(handler) {
            @Override
            public boolean handle(Request request, Response response, Callback callback)
                    throws Exception {
                if (request.getLength() == 0) {
                    return super.handle(request, response, callback);
                }
                if (isFirstVersion(request)) {
                    return super.handle(request, new LastAnswer(request, response), callback);
                }
                if (request.getConnectionMetaData().getConnection()
                        instanceof HTTP2Connection connection) {
                    request.addHttpStreamWrapper(stream -> new CompleteAnswer(stream, connection));
                }
                return super.handle(request, response, callback);
            }
        };
    }

    /** An answer over HTTP/1.1. If it is written at once, and before the body, it is the last. */
    private static final class LastAnswer extends Response.Wrapper {
        LastAnswer(Request request, Response response) {
            super(request, response);
        }

        @Override
        public void write(boolean last, ByteBuffer bytes, Callback callback) {
            // After a body was dropped, no more of it can be read. An answer that already says that
            // it is the last may be one before a long body, which is read afterwards.
            if (last && !isCommitted() && !getHeaders().contains(HttpHeader.CONNECTION, CLOSE)) {
                drop(getRequest(), this);
            }
            super.write(last, bytes, callback);
        }
    }

    /** A stream of HTTP/2 whose answer the client gets, however much of the body it has sent. */
    private static final class CompleteAnswer extends HttpStream.Wrapper {
        private final HTTP2Connection connection;

        CompleteAnswer(HttpStream stream, HTTP2Connection connection) {
            super(stream);
            this.connection = connection;
        }

        @Override
        public void succeeded() {
            end();
            super.succeeded();
        }

        @Override
        public void failed(Throwable failure) {
            end();
            super.failed(failure);
        }

        /** Ends the stream if the answer is complete, and the body is not. */
        private void end() {
            HTTP2Stream stream = connection.getSession().getStream(Integer.parseInt(getId()));
            if (stream != null && stream.isLocallyClosed() && !stream.isRemotelyClosed()) {
                stream.reset(
                        new ResetFrame(stream.getId(), ErrorCode.NO_ERROR.code), Callback.NOOP);
            }
        }
    }

    /** Reads, and returns whether the end was reached. */
    private static boolean drain(InputStream in, long most) {
        var piece = new byte[PIECE];
        long left = most;
        try {
            for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
                left -= count;
                if (left < 0) {
                    return false;
                }
            }
            return true;
        } catch (IOException _) {
            // The client has disconnected; the answer meets the same error.
            return false;
        }
    }
}
