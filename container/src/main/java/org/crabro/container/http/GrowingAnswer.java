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
 * The body of an answer that is held whole while it is small, so that its length can be told; a
 * large one leaves piece by piece, and whoever writes waits until the client takes them.
 *
 * <p>Used by one thread. Writing throws {@link UncheckedIOException} where the client is gone.
 */
final class GrowingAnswer extends ByteArrayOutputStream {
    private static final int FIRST_BUFFER = 256;
    private static final int PIECE = 1 << 20;

    private final Response response;
    private final int status;
    private final String contentType;
    private boolean isBegun;

    /** Begins an answer; nothing of it leaves before it is large or {@linkplain #end ended}. */
    GrowingAnswer(Response response, int status, String contentType) {
        super(FIRST_BUFFER);
        this.response = response;
        this.status = status;
        this.contentType = contentType;
    }

    /** Returns whether a part of it has left: then no other answer can be given. */
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
     * Sends what is left.
     *
     * @param callback told when it has been taken; that is not waited for
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
