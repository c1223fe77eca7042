package org.crabro.container.document;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.crabro.container.http.JsonReply;
import org.crabro.container.http.UnreadBody;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.text.Excerpt;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import tools.jackson.core.JsonGenerator;

/**
 * Writes the answer to one request: an object with {@code pathId}, {@code id} if it is known,
 * {@code trace} if requested, and then {@code fields} or {@code message}. Clients expect the
 * members in this order.
 */
final class DocumentAnswer {
    private static final String IGNORED = "X-Vespa-Ignored-Operation";

    /** The time after which a client may ask again for an unavailable node. */
    private static final long UNAVAILABLE_SECONDS = 1;

    private final Request request;
    private final Response response;
    private final Callback callback;
    private final String pathId;
    private final long startNanos;
    private final List<String> trace = new ArrayList<>();
    private final IntConsumer statuses;
    private boolean traced;

    /**
     * @param pathId the path as it was sent
     * @param startNanos arrival of the request, on the scale of {@link System#nanoTime()}
     * @param statuses receives the status before the answer is sent
     */
    DocumentAnswer(
            Request request,
            Response response,
            Callback callback,
            String pathId,
            long startNanos,
            IntConsumer statuses) {
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.pathId = pathId;
        this.startNanos = startNanos;
        this.statuses = statuses;
    }

    /** Includes later notes in the answer. */
    void startTrace() {
        traced = true;
    }

    /** Adds a step to the trace; calls {@code what} only if a trace is shown. */
    void note(Supplier<String> what) {
        if (traced) {
            double millis = (System.nanoTime() - startNanos) / 1e6;
            trace.add("%.3f ms: %s".formatted(millis, what.get()));
        }
    }

    /** Answers that the request is rejected. */
    void refuse(int status, String message) {
        send(status, json -> json.writeStringProperty("message", Excerpt.message(message)));
    }

    /** Answers that the operation on {@code id} was not carried out. */
    void fail(int status, DocumentId id, String message) {
        send(
                status,
                json -> {
                    begin(json, id);
                    json.writeStringProperty("message", Excerpt.message(message));
                });
    }

    /** Answers that the write of {@code id} was not carried out, and when it may be sent again. */
    void fail(DocumentId id, ReplyStatus status) {
        status.retryAfter().ifPresent(this::retryAfter);
        fail(status.code(), id, status.message());
    }

    /** Answers that no cluster stores a document {@code id}. */
    void notStored(DocumentId id) {
        response.getHeaders().put(IGNORED, "true");
        done(HttpStatus.NOT_FOUND_404, id);
    }

    /** Answers that the operation on {@code id} was ignored, which is no error. */
    void ignored(DocumentId id, String message) {
        response.getHeaders().put(IGNORED, "true");
        fail(HttpStatus.OK_200, id, message);
    }

    /** Answers that the server is overloaded. */
    void overloaded(Optional<DocumentId> id, String message, Duration retryAfter) {
        retryAfter(retryAfter);
        id.ifPresentOrElse(
                documentId -> fail(HttpStatus.TOO_MANY_REQUESTS_429, documentId, message),
                () -> refuse(HttpStatus.TOO_MANY_REQUESTS_429, message));
    }

    private void retryAfter(Duration pause) {
        response.getHeaders().put(HttpHeader.RETRY_AFTER, ReplyStatus.seconds(pause));
    }

    /** Answers that no content node can be reached; the client may try again. */
    void unavailable(DocumentId id, String message) {
        response.getHeaders().put(HttpHeader.RETRY_AFTER, UNAVAILABLE_SECONDS);
        fail(HttpStatus.SERVICE_UNAVAILABLE_503, id, message);
    }

    /** Answers with the id only: a write was carried out, or a document is missing. */
    void done(int status, DocumentId id) {
        send(status, json -> begin(json, id));
    }

    /** Adds a note that fields were skipped because the document type does not have them. */
    void ignoredFields() {
        response.getHeaders().put("X-Vespa-Ignored-Fields", "true");
    }

    /** Answers that an update found no document, which is no error. */
    void updatedNothing(DocumentId id) {
        response.getHeaders().put("X-Crabro-Not-Found", "true");
        send(
                HttpStatus.OK_200,
                HttpStatus.NOT_FOUND_404,
                json -> {
                    begin(json, id);
                    json.writeBooleanProperty("notFound", true);
                });
    }

    /** Answers that an update was carried out, except for parts whose element is missing. */
    void updatedPartly(DocumentId id, String message) {
        response.getHeaders().put("X-Crabro-Ignored-Updates", "true");
        fail(HttpStatus.OK_200, id, message);
    }

    /** Answers with the fields of {@code document} in {@code shown}. */
    void sendDocument(Document document, ShownFields shown) {
        send(
                HttpStatus.OK_200,
                json -> {
                    begin(json, document.id());
                    shown.write(json, document);
                });
    }

    /**
     * Answers with the fields of a document.
     *
     * @param text the object of the document in UTF-8, see {@link DocumentTexts}
     */
    void sendDocument(DocumentId id, ByteBuffer text) {
        send(
                HttpStatus.OK_200,
                json -> {
                    begin(json, id);
                    json.writeName("fields");
                    ObjectText.writeMember(text, "fields", json);
                });
    }

    /** Answers with JSON that is not a document. */
    void describe(byte[] json) {
        statuses.accept(HttpStatus.OK_200);
        JsonReply.send(response, callback, HttpStatus.OK_200, json);
    }

    /** Answers without a body. */
    void allow(List<String> methods) {
        response.setStatus(HttpStatus.NO_CONTENT_204);
        response.getHeaders().put(HttpHeader.ALLOW, String.join(",", methods));
        callback.succeeded();
    }

    /** Answers that the method is not allowed. */
    void refuseMethod(String method, List<String> allowed) {
        response.getHeaders().put(HttpHeader.ALLOW, String.join(",", allowed));
        refuse(
                HttpStatus.METHOD_NOT_ALLOWED_405,
                "'%s' not allowed at '%s'. Allowed methods are: %s"
                        .formatted(method, pathId, String.join(", ", allowed)));
    }

    private void begin(JsonGenerator json, DocumentId id) {
        json.writeStringProperty("id", id.toString());
        if (traced) {
            json.writeArrayPropertyStart("trace");
            for (String line : trace) {
                json.writeStartObject();
                json.writeStringProperty("message", line);
                json.writeEndObject();
            }
            json.writeEndArray();
        }
    }

    private void send(int status, Consumer<JsonGenerator> members) {
        send(status, status, members);
    }

    private void send(int status, int counted, Consumer<JsonGenerator> members) {
        statuses.accept(counted);
        UnreadBody.drain(
                request,
                response,
                callback,
                sent -> JsonReply.sendWithPath(request, response, sent, status, members));
    }
}
