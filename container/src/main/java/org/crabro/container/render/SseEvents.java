package org.crabro.container.render;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.crabro.container.query.ResultError;
import org.crabro.container.search.AnswerEvent;
import org.crabro.container.search.SearchResult;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes server-sent events.
 *
 * <pre>
 *   event: token
 *   data: {"token":" word"}
 *   (an empty line)
 * </pre>
 *
 * JSON contains no line ends, so an event has one line of data.
 */
final class SseEvents {
    private static final JsonFactory JSON = new JsonFactory();

    private SseEvents() {}

    /**
     * Writes a result without a generated answer: its errors, and if it succeeded the whole result.
     *
     * @param json writes the result as JSON
     */
    static void write(SearchResult result, Consumer<OutputStream> json, OutputStream out)
            throws IOException {
        for (ResultError error : result.errors()) {
            error(error, out);
        }
        if (!result.page().hits().isEmpty() || result.errors().isEmpty()) {
            var bytes = new ByteArrayOutputStream();
            json.accept(bytes);
            event(new AnswerEvent(AnswerEvent.HITS, bytes.toString(StandardCharsets.UTF_8)), out);
        }
        end(out);
    }

    static void event(AnswerEvent event, OutputStream out) throws IOException {
        if (event.type().equals(AnswerEvent.HITS)) {
            lines(event.type(), event.text().getBytes(StandardCharsets.UTF_8), out);
            return;
        }
        lines(
                event.type(),
                object(json -> json.writeStringProperty(event.type(), event.text())),
                out);
    }

    static void error(ResultError error, OutputStream out) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
            JsonRenderer.error(error, json);
        }
        lines("error", bytes.toByteArray(), out);
    }

    static void end(OutputStream out) throws IOException {
        out.write("event: end\n".getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] object(Consumer<JsonGenerator> writer) {
        var bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
            json.writeStartObject();
            writer.accept(json);
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private static void lines(String type, byte[] data, OutputStream out) throws IOException {
        out.write(("event: " + type + "\ndata: ").getBytes(StandardCharsets.UTF_8));
        out.write(data);
        out.write("\n\n".getBytes(StandardCharsets.UTF_8));
    }
}
