package org.crabro.container.visit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.crabro.container.http.CborSink;
import org.crabro.container.http.CborTranscript;
import org.crabro.container.http.JsonReply;
import org.crabro.text.Excerpt;
import org.eclipse.jetty.server.Response;

/**
 * One JSON object, or the same in CBOR:
 *
 * <pre>
 *   {"pathId":…,"documents":[…],"documentCount":n[,"trace":[…]][,"message":…][,"continuation":…]}
 * </pre>
 */
final class ListAnswer extends VisitAnswer {
    private final String pathId;
    private final VisitTrace trace;

    /** Bytes that precede the next document and were not sent. */
    private final ByteArrayOutputStream before = new ByteArrayOutputStream();

    ListAnswer(Response response, boolean isCbor, String pathId, VisitTrace trace, int heldMax) {
        super(
                response,
                isCbor ? CborTranscript.CONTENT_TYPE : JsonReply.CONTENT_TYPE,
                isCbor ? new CborSink(response) : response,
                heldMax);
        this.pathId = pathId;
        this.trace = trace;
    }

    @Override
    void writeBegin() {
        before.writeBytes("{\"pathId\":".getBytes(UTF_8));
        before.writeBytes(JsonReply.bytes(json -> json.writeString(pathId)));
        before.writeBytes(",\"documents\":[".getBytes(UTF_8));
    }

    @Override
    void writePage(ByteBuffer documents, String continuation, double percentFinished)
            throws IOException {
        if (documents.hasRemaining()) {
            write(false, ByteBuffer.wrap(before.toByteArray()));
            before.reset();
            write(false, documents);
            before.write(',');
        }
    }

    @Override
    void writeEnd(Ending ending) throws IOException {
        if (documentCount() > 0) {
            // It contains the comma of a document that did not follow.
            before.reset();
        }
        byte[] members =
                JsonReply.bytes(json -> {
                    json.writeStartObject();
                    json.writeNumberProperty("documentCount", documentCount());
                    if (trace.isShown()) {
                        json.writeName("trace");
                        trace.write(json);
                    }
                    ending.message()
                            .ifPresent(text ->
                                    json.writeStringProperty("message", Excerpt.message(text)));
                    ending.continuation()
                            .ifPresent(token -> json.writeStringProperty("continuation", token));
                    json.writeEndObject();
                });
        before.writeBytes("],".getBytes(UTF_8));
        before.write(members, 1, members.length - 1);
        write(true, ByteBuffer.wrap(before.toByteArray()));
    }
}
