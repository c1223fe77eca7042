package org.crabro.container.http;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.function.Consumer;
import org.crabro.text.Excerpt;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Answers requests with JSON bodies. */
public final class JsonReply {
    /** The content type of every JSON answer. */
    public static final String CONTENT_TYPE = "application/json; charset=UTF-8";

    private static final String DOCUMENTS = "/document/v1";

    private static final JsonFactory JSON = new JsonFactory();

    private JsonReply() {}

    /** Sends the JSON that {@code body} writes. It is complete in memory before. */
    public static void send(
            Response response, Callback callback, int status, Consumer<JsonGenerator> body) {
        send(response, callback, status, bytes(body));
    }

    /**
     * Sends an object with one string member, such as {@code {"message":"…"}}. The message of an
     * error is cut, because it may quote the request.
     */
    public static void send(
            Response response, Callback callback, int status, String member, String text) {
        send(
                response,
                callback,
                status,
                json -> {
                    json.writeStartObject();
                    json.writeStringProperty(
                            member, HttpStatus.isSuccess(status) ? text : Excerpt.message(text));
                    json.writeEndObject();
                });
    }

    /**
     * Sends an error of a request that reached no handler. Below {@code /document/v1} it contains
     * the path, and has the form of all answers there.
     */
    public static void sendProblem(
            Request request, Response response, Callback callback, int status, String text) {
        UnreadBody.drop(request, response);
        String path = request.getHttpURI().getPath();
        if (path == null || !isOfDocuments(path)) {
            send(response, callback, status, "message", text);
            return;
        }
        sendWithPath(
                request,
                response,
                callback,
                status,
                json -> json.writeStringProperty("message", Excerpt.message(text)));
    }

    private static boolean isOfDocuments(String path) {
        return path.equals(DOCUMENTS) || path.startsWith(DOCUMENTS + "/");
    }

    /** Sends JSON as bytes. */
    public static void send(Response response, Callback callback, int status, byte[] json) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, CONTENT_TYPE);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, json.length);
        response.write(true, java.nio.ByteBuffer.wrap(json), callback);
    }

    /**
     * Sends an object, in JSON or CBOR as the client prefers, that begins with the path as it was
     * sent.
     *
     * @param members writes the other members
     */
    public static void sendWithPath(
            Request request,
            Response response,
            Callback callback,
            int status,
            Consumer<JsonGenerator> members) {
        Consumer<JsonGenerator> body =
                json -> {
                    json.writeStartObject();
                    json.writeStringProperty("pathId", request.getHttpURI().getPath());
                    members.accept(json);
                    json.writeEndObject();
                };
        stream(response, callback, status, Accepted.isCborPreferred(request.getHeaders()), body);
    }

    /** Sends the JSON that {@code body} writes. It is never complete in memory if it is large. */
    public static void sendLarge(
            Response response, Callback callback, int status, Consumer<JsonGenerator> body) {
        stream(response, callback, status, false, body);
    }

    private static void stream(
            Response response,
            Callback callback,
            int status,
            boolean isCbor,
            Consumer<JsonGenerator> body) {
        var answer =
                new GrowingAnswer(
                        response, status, isCbor ? CborTranscript.CONTENT_TYPE : CONTENT_TYPE);
        try {
            // The generator closes what it writes to, so that the transcript ends.
            write(body, isCbor ? new CborTranscript(answer) : answer);
        } catch (RuntimeException e) {
            if (!answer.isBegun()) {
                throw e;
            }
            callback.failed(e);
            return;
        }
        answer.end(callback);
    }

    /**
     * Writes the URLs of the {@code resources} below {@code path}, with the host of the request.
     */
    static void resources(
            JsonGenerator json, Request request, String path, List<String> resources) {
        String base = request.getHttpURI().getScheme() + "://" + Request.getServerName(request);
        json.writeStartObject();
        json.writeArrayPropertyStart("resources");
        for (String resource : resources) {
            json.writeStartObject();
            json.writeStringProperty(
                    "url", base + ":" + Request.getServerPort(request) + path + "/" + resource);
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(Consumer<JsonGenerator> body, OutputStream out) {
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
            body.accept(json);
        }
    }

    /** Returns the JSON that {@code body} writes, as UTF-8. */
    public static byte[] bytes(Consumer<JsonGenerator> body) {
        var bytes = new ByteArrayOutputStream(256);
        write(body, bytes);
        return bytes.toByteArray();
    }
}
