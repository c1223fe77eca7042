package org.crabro.container.visit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import org.crabro.container.http.CborSink;
import org.crabro.container.http.CborTranscript;
import org.crabro.container.http.JsonReply;
import org.eclipse.jetty.server.Response;
import tools.jackson.core.JsonGenerator;

/**
 * JSON objects, one per line, or a CBOR sequence of the same objects: documents and removals, a
 * continuation after each page, and at the end {@code sessionStats}, {@code sessionTrace}, {@code
 * message} and a last continuation. If the last continuation has no token, the visit is complete.
 */
final class LinesAnswer extends VisitAnswer {
    private static final String CONTENT_TYPE = "application/jsonl; charset=UTF-8";

    private final VisitTrace trace;

    LinesAnswer(Response response, boolean isCbor, VisitTrace trace, int heldMax) {
        super(
                response,
                isCbor ? CborTranscript.SEQUENCE : CONTENT_TYPE,
                isCbor ? new CborSink(response) : response,
                heldMax);
        this.trace = trace;
    }

    @Override
    void writeBegin() {}

    @Override
    void writePage(ByteBuffer documents, String continuation, double percentFinished)
            throws IOException {
        if (documents.hasRemaining()) {
            write(false, documents);
        }
        write(false, ByteBuffer.wrap(continuation(Optional.of(continuation), percentFinished)));
    }

    @Override
    void writeEnd(Ending ending) throws IOException {
        var lines = new ByteArrayOutputStream();
        lines.writeBytes(
                line(json -> {
                    json.writeObjectPropertyStart("sessionStats");
                    json.writeNumberProperty("documentCount", documentCount());
                    json.writeEndObject();
                }));
        if (trace.isShown()) {
            lines.writeBytes(
                    line(json -> {
                        json.writeObjectPropertyStart("sessionTrace");
                        json.writeName("trace");
                        trace.write(json);
                        json.writeEndObject();
                    }));
        }
        ending.message()
                .ifPresent(text ->
                        lines.writeBytes(
                                line(json -> {
                                    json.writeObjectPropertyStart("message");
                                    json.writeStringProperty("text", text);
                                    json.writeStringProperty(
                                            "severity", ending.isFailure() ? "error" : "warning");
                                    json.writeEndObject();
                                })));
        lines.writeBytes(continuation(ending.continuation(), ending.percentFinished()));
        write(true, ByteBuffer.wrap(lines.toByteArray()));
    }

    private static byte[] continuation(Optional<String> token, double percentFinished) {
        return line(json -> {
            json.writeObjectPropertyStart("continuation");
            token.ifPresent(text -> json.writeStringProperty("token", text));
            json.writeNumberProperty("percentFinished", percentFinished);
            json.writeEndObject();
        });
    }

    private static byte[] line(Consumer<JsonGenerator> members) {
        byte[] object =
                JsonReply.bytes(json -> {
                    json.writeStartObject();
                    members.accept(json);
                    json.writeEndObject();
                });
        byte[] line = Arrays.copyOf(object, object.length + 1);
        line[object.length] = '\n';
        return line;
    }
}
