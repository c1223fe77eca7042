package org.crabro.container.visit;

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
    private boolean isBegun;
    private long documentCount;

    VisitAnswer(Response response, String contentType) {
        this.response = response;
        this.contentType = contentType;
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

    /** Returns whether a part of the answer has left already, and with it the status. */
    final boolean isBegun() {
        return isBegun;
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

    private void begin(int status) throws IOException {
        if (!isBegun) {
            isBegun = true;
            response.setStatus(status);
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
            writeBegin();
        }
    }

    abstract void writeBegin() throws IOException;

    abstract void writePage(ByteBuffer documents, String continuation, double percentFinished)
            throws IOException;

    abstract void writeEnd(Ending ending) throws IOException;

    final void write(boolean isLast, ByteBuffer bytes) throws IOException {
        Content.Sink.write(response, isLast, bytes);
    }
}
