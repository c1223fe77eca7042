package org.crabro.container.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Buffers the body of an answer and sends it in large pieces. A body that fits the first piece is
 * sent with its headers in one write, has a {@code Content-Length}, and does not block. A longer
 * one is sent piece by piece, and writes block until the client receives them.
 *
 * <p>Used by one thread. Closing drops bytes that were not {@linkplain #end sent}; the answer has
 * failed then.
 */
public final class AnswerStream extends OutputStream {
    /** Most answers to queries, with their headers, are shorter. */
    private static final int GATHERED = 32 * 1024;

    private final Response response;
    private final RetainableByteBuffer gathered;
    private final ByteBuffer bytes;
    private boolean isEnded;

    /** Begins an answer. Its status and headers are those at the first write or at the end. */
    public AnswerStream(Request request, Response response) {
        this.response = response;
        this.gathered = request.getComponents().getByteBufferPool().acquire(GATHERED, true);
        this.bytes = gathered.getByteBuffer().clear();
    }

    @Override
    public void write(int value) throws IOException {
        if (!bytes.hasRemaining()) {
            send();
        }
        bytes.put((byte) value);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        int next = offset;
        int left = length;
        while (left > bytes.remaining()) {
            int fitting = bytes.remaining();
            bytes.put(from, next, fitting);
            send();
            next += fitting;
            left -= fitting;
        }
        bytes.put(from, next, left);
    }

    /** Sends the buffer, and waits until the client has received it. */
    private void send() throws IOException {
        Content.Sink.write(response, false, bytes.flip());
        bytes.clear();
    }

    /**
     * Sends what was written, and waits until the client has received it. Later parts of the answer
     * follow.
     */
    public void sendNow() throws IOException {
        if (bytes.position() > 0) {
            send();
        }
    }

    /**
     * Sends the rest as the end of the answer, without waiting.
     *
     * @param callback completed when the client has received it
     */
    public void end(Callback callback) {
        isEnded = true;
        response.write(true, bytes.flip(), Callback.from(callback, gathered::release));
    }

    @Override
    public void close() {
        if (!isEnded) {
            isEnded = true;
            gathered.release();
        }
    }
}
