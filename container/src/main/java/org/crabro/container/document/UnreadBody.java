package org.crabro.container.document;

import java.io.IOException;
import java.io.InputStream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

/**
 * Reads what a client still sends though nobody wants it: a connection that is closed meanwhile may
 * take the answer with it, and the client's next request as well.
 */
final class UnreadBody {
    /** More is not read; the connection ends with the answer then, and that is said. */
    private static final int BYTES_MAX = 1 << 20;

    private static final int PIECE = 8 << 10;

    private UnreadBody() {}

    /** Reads on to the end, before an answer is sent; blocks while the client sends. */
    static void drain(Request request, Response response) {
        if (request.getLength() > BYTES_MAX
                || request.getHeaders()
                        .contains(HttpHeader.EXPECT, HttpHeaderValue.CONTINUE.asString())
                || !drain(Content.Source.asInputStream(request))) {
            if (request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_1) {
                response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
            }
        }
    }

    /** Reads on, and returns whether that came to the end. */
    static boolean drain(InputStream in) {
        var piece = new byte[PIECE];
        long left = BYTES_MAX;
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
