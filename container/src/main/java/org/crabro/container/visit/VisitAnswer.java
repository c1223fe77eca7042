package org.crabro.container.visit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Response;

/**
 * The answer to a visit, sent page by page. Every method blocks until the client has received the
 * bytes. Used by one thread.
 */
abstract sealed class VisitAnswer permits ListAnswer, LinesAnswer {
    private final Response response;
    private final String contentType;
    private final Content.Sink sink;
    private final int heldMax;

    /** Bytes that are not sent. Until the first byte is sent, the status can change. */
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();

    private boolean isBegun;
    private boolean isSent;
    private int status = HttpStatus.OK_200;
    private long documentCount;

    /**
     * @param sink takes JSON, and sends bytes of {@code contentType}
     * @param heldMax bytes of JSON that are held back at most before the end of the answer
     */
    VisitAnswer(Response response, String contentType, Content.Sink sink, int heldMax) {
        this.response = response;
        this.contentType = contentType;
        this.sink = sink;
        this.heldMax = heldMax;
    }

    /**
     * The end of an answer.
     *
     * @param isFailure whether the message reports an error
     * @param continuation the position to continue from; empty if the visit is complete
     * @param percentFinished 0 to 100
     */
    record Ending(
            Optional<String> message,
            boolean isFailure,
            Optional<String> continuation,
            double percentFinished) {}

    /** Returns whether a page was written. */
    final boolean isBegun() {
        return isBegun;
    }

    /** Returns whether a part of the answer was sent, and the status with it. */
    final boolean isSent() {
        return isSent;
    }

    /** Returns the count of documents and removals that were written. */
    final long documentCount() {
        return documentCount;
    }

    /** Writes documents, and the position of the visit after them. */
    final void page(ByteBuffer documents, int count, String continuation, double percentFinished)
            throws IOException {
        begin(HttpStatus.OK_200);
        documentCount += count;
        writePage(documents, continuation, percentFinished);
    }

    /**
     * Writes the end of the answer.
     *
     * @param status used if nothing was sent
     */
    final void end(int status, Ending ending) throws IOException {
        begin(status);
        writeEnd(ending);
    }

    private void begin(int newStatus) throws IOException {
        status = newStatus;
        if (!isBegun) {
            isBegun = true;
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
            writeBegin();
        }
    }

    abstract void writeBegin() throws IOException;

    abstract void writePage(ByteBuffer documents, String continuation, double percentFinished)
            throws IOException;

    abstract void writeEnd(Ending ending) throws IOException;

    final void write(boolean isLast, ByteBuffer bytes) throws IOException {
        if (!isSent) {
            if (!isLast && held.size() + bytes.remaining() <= heldMax) {
                byte[] copy = new byte[bytes.remaining()];
                bytes.get(copy);
                held.writeBytes(copy);
                return;
            }
            isSent = true;
            response.setStatus(status);
            if (held.size() > 0) {
                Content.Sink.write(sink, false, ByteBuffer.wrap(held.toByteArray()));
                held.reset();
            }
        }
        Content.Sink.write(sink, isLast, bytes);
    }
}
