package org.crabro.client.feed;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.document.DocumentId;
import org.crabro.document.InvalidDocumentException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * An operation on one document.
 *
 * {@snippet :
 * FeedOperation.put("id:home:note:g=anna:1", Map.of("text", "Water the plants", "time", 20))
 *         .withCondition("note.time < 20");
 * }
 *
 * @param method of the request: {@code POST} for a put, {@code PUT} for an update, {@code DELETE}
 *     for a remove
 * @param condition a document selection that must hold; an operation that was read from a line has
 *     the condition in its body, except a remove
 * @param creates whether an update creates a missing document
 * @param body of the request; empty for a remove
 */
public record FeedOperation(
        String method,
        DocumentId id,
        Optional<String> condition,
        boolean creates,
        Optional<String> body) {
    private static final JsonFactory JSON = new JsonFactory();
    private static final JsonMapper VALUES = new JsonMapper();

    /**
     * Returns a put.
     *
     * @param fields values by name: texts, numbers, booleans, lists, maps, or values with a JSON
     *     form in Jackson
     * @throws InvalidDocumentException if the id is not valid
     */
    public static FeedOperation put(String id, Map<String, ?> fields) {
        return new FeedOperation(
                "POST",
                DocumentId.parse(id),
                Optional.empty(),
                false,
                Optional.of(VALUES.writeValueAsString(Map.of("fields", fields))));
    }

    /**
     * Returns an update.
     *
     * @param updates by the name of the field, such as {@code Map.of("count", Map.of("increment",
     *     1))}
     * @throws InvalidDocumentException if the id is not valid
     */
    public static FeedOperation update(String id, Map<String, ?> updates) {
        return new FeedOperation(
                "PUT",
                DocumentId.parse(id),
                Optional.empty(),
                false,
                Optional.of(VALUES.writeValueAsString(Map.of("fields", updates))));
    }

    /**
     * Returns a remove.
     *
     * @throws InvalidDocumentException if the id is not valid
     */
    public static FeedOperation remove(String id) {
        return new FeedOperation(
                "DELETE", DocumentId.parse(id), Optional.empty(), false, Optional.empty());
    }

    /** Returns the same operation, carried out only if a document selection holds. */
    public FeedOperation withCondition(String selection) {
        return new FeedOperation(method, id, Optional.of(selection), creates, body);
    }

    /** Returns the same update, which creates a missing document. */
    public FeedOperation creating() {
        return new FeedOperation(method, id, condition, true, body);
    }

    /** Returns the query string of the request, with a question mark; empty if there is none. */
    String query() {
        List<String> parameters = new ArrayList<>();
        condition.ifPresent(text -> parameters.add("condition=" + DocumentUrl.encode(text)));
        if (creates) {
            parameters.add("create=true");
        }
        return parameters.isEmpty() ? "" : "?" + String.join("&", parameters);
    }

    /**
     * Reads a line: {@code {"put": id, "fields": {…}}}, the same with {@code "update"}, or {@code
     * {"remove": id}}.
     *
     * @throws InvalidDocumentException if it is not an operation
     */
    public static FeedOperation parse(String line) {
        return parse(line.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads a line in UTF-8.
     *
     * @throws InvalidDocumentException if it is not an operation
     */
    static FeedOperation parse(byte[] line) {
        FeedOperation operation = head(line);
        return operation.method().equals("DELETE")
                ? operation
                : new FeedOperation(
                        operation.method(),
                        operation.id(),
                        operation.condition(),
                        false,
                        Optional.of(new String(line, StandardCharsets.UTF_8)));
    }

    /**
     * Reads the id of a line, and nothing after it.
     *
     * @throws InvalidDocumentException if it is not an operation
     */
    static DocumentId id(byte[] line) {
        return head(line).id();
    }

    /** Reads an operation without its body. */
    private static FeedOperation head(byte[] line) {
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), line)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new InvalidDocumentException("expected an operation as a JSON object");
            }
            DocumentId removed = null;
            Optional<String> condition = Optional.empty();
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = json.currentName();
                JsonToken value = json.nextToken();
                if ((name.equals("put") || name.equals("id")) && value == JsonToken.VALUE_STRING) {
                    // The server takes the id from the path and skips it in the body.
                    return withoutBody("POST", json.getString());
                }
                if (name.equals("update") && value == JsonToken.VALUE_STRING) {
                    return withoutBody("PUT", json.getString());
                }
                if (name.equals("remove") && value == JsonToken.VALUE_STRING) {
                    removed = DocumentId.parse(json.getString());
                } else if (name.equals("condition") && value == JsonToken.VALUE_STRING) {
                    condition = Optional.of(json.getString());
                }
                json.skipChildren();
            }
            if (removed != null) {
                return new FeedOperation("DELETE", removed, condition, false, Optional.empty());
            }
            throw new InvalidDocumentException(
                    "expected a member 'put', 'update' or 'remove' with an id");
        } catch (JacksonException e) {
            throw new InvalidDocumentException("not JSON: " + e.getOriginalMessage(), e);
        }
    }

    private static FeedOperation withoutBody(String method, String id) {
        return new FeedOperation(
                method, DocumentId.parse(id), Optional.empty(), false, Optional.empty());
    }
}
