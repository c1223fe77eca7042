package org.crabro.container.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Blocker;
import org.eclipse.jetty.util.Callback;

/**
 * Reads what a client still sends though nobody wants it: a connection that is closed meanwhile may
 * take the answer with it, and the client's next request as well.
 */
public final class UnreadBody {
    /** More is not read before the answer; the connection ends with it then, and that is said. */
    private static final int BYTES_MAX = 1 << 20;

    /**
     * More is not read behind such an answer either. Most clients send all of a body before they
     * read, and would find a closed connection in place of the answer.
     */
    private static final int LATE_BYTES_MAX = 256 << 20;

    private static final int PIECE = 8 << 10;

    private UnreadBody() {}

    /**
     * Sends an answer, and reads on to the end of the body: before it where there is little left,
     * else behind it. Blocks while the client sends.
     *
     * @param answer sends it and tells the callback
     */
    public static void drain(
            Request request, Response response, Callback callback, Consumer<Callback> answer) {
        boolean waits =
                request.getHeaders()
                        .contains(HttpHeader.EXPECT, HttpHeaderValue.CONTINUE.asString());
        InputStream body = Content.Source.asInputStream(request);
        // The rest of a body that has given way may never come.
        boolean isGivenUp = request instanceof ArrivingRequest arriving && arriving.isGivenUp();
        if (!waits && !isGivenUp && request.getLength() <= BYTES_MAX && drain(body, BYTES_MAX)) {
            answer.accept(callback);
            return;
        }
        if (request.getConnectionMetaData().getHttpVersion() != HttpVersion.HTTP_1_1) {
            answer.accept(callback);
            return;
        }
        response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
        if (waits) {
            // Nothing comes any more.
            answer.accept(callback);
            return;
        }
        try (Blocker.Callback sent = Blocker.callback()) {
            answer.accept(sent);
            sent.block();
        } catch (IOException e) {
            callback.failed(e);
            return;
        }
        drain(body, LATE_BYTES_MAX);
        callback.succeeded();
    }

    /** Reads on, and returns whether that came to the end. */
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
            // The client went away, which is met again where it is answered.
            return false;
        }
    }
}
