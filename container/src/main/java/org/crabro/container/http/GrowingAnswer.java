package org.crabro.container.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * The body of an answer. A small one is buffered whole, so that its length is known. A large one is
 * sent piece by piece, and writes block until the client receives them.
 *
 * <p>Used by one thread. Writes throw {@link UncheckedIOException} if the client has disconnected.
 */
final class GrowingAnswer extends ByteArrayOutputStream {
    private static final int FIRST_BUFFER = 256;
    private static final int PIECE = 1 << 20;

    private final Response response;
    private final int status;
    private final String contentType;
    private boolean isBegun;

    /** Begins an answer. Nothing is sent before it is large or {@linkplain #end ended}. */
    GrowingAnswer(Response response, int status, String contentType) {
        super(FIRST_BUFFER);
        this.response = response;
        this.status = status;
        this.contentType = contentType;
    }

    /** Returns whether a part was sent; no other answer is possible then. */
    boolean isBegun() {
        return isBegun;
    }

    @Override
    public synchronized void write(byte[] from, int offset, int length) {
        if (count + length > PIECE) {
            send();
        }
        super.write(from, offset, length);
    }

    private void send() {
        begin();
        try {
            Content.Sink.write(response, false, ByteBuffer.wrap(buf, 0, count));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        reset();
    }

    private void begin() {
        if (!isBegun) {
            isBegun = true;
            response.setStatus(status);
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
        }
    }

    /**
     * Sends the rest, without waiting.
     *
     * @param callback completed when the client has received it
     */
    void end(Callback callback) {
        boolean isWhole = !isBegun;
        begin();
        if (isWhole) {
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, count);
        }
        response.write(true, ByteBuffer.wrap(buf, 0, count), callback);
    }
}
