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
 * The answer to a visit, which leaves page by page. Every method blocks until the client has taken
 * what it writes. Used by one thread.
 */
abstract sealed class VisitAnswer permits ListAnswer, LinesAnswer {
    private final Response response;
    private final String contentType;
    private final Content.Sink sink;
    private final int heldMax;

    /** What has not left yet: while nothing has, the status can be another one. */
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();

    private boolean isBegun;
    private boolean isSent;
    private int status = HttpStatus.OK_200;
    private long documentCount;

    /**
     * @param sink takes JSON, and passes on what is of {@code contentType}
     * @param heldMax bytes of JSON that are kept back at most before the answer ends
     */
    VisitAnswer(Response response, String contentType, Content.Sink sink, int heldMax) {
        this.response = response;
        this.contentType = contentType;
        this.sink = sink;
        this.heldMax = heldMax;
    }

    /**
     * How an answer ends.
     *
     * @param isFailure whether the message tells of something that went wrong
     * @param continuation where to go on; nothing where there is no more
     * @param percentFinished 0 to 100
     */
    record Ending(
            Optional<String> message,
            boolean isFailure,
            Optional<String> continuation,
            double percentFinished) {}

    /** Returns whether a page was taken. */
    final boolean isBegun() {
        return isBegun;
    }

    /** Returns whether a part of the answer has left already, and with it the status. */
    final boolean isSent() {
        return isSent;
    }

    /** Returns how many documents and removals have left. */
    final long documentCount() {
        return documentCount;
    }

    /** Writes documents, and how far the visit came with them. */
    final void page(ByteBuffer documents, int count, String continuation, double percentFinished)
            throws IOException {
        begin(HttpStatus.OK_200);
        documentCount += count;
        writePage(documents, continuation, percentFinished);
    }

    /**
     * Writes what is behind the documents.
     *
     * @param status where nothing has left yet
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
                byte[] kept = new byte[bytes.remaining()];
                bytes.get(kept);
                held.writeBytes(kept);
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
