package org.crabro.client.feed;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.crabro.document.DocumentId;
import org.crabro.document.InvalidDocumentException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * One line of a feed file: {@code {"put": id, "fields": {…}}}, the same with {@code "update"}, or
 * {@code {"remove": id}}.
 *
 * @param condition of a remove; other operations have it in the body
 * @param body of the request; empty for a remove
 */
record FeedOperation(
        String method, DocumentId id, Optional<String> condition, Optional<String> body) {
    private static final JsonFactory JSON = new JsonFactory();

    /**
     * Reads a line.
     *
     * @throws InvalidDocumentException if it is not an operation
     */
    static FeedOperation parse(String line) {
        try (JsonParser json =
                JSON.createParser(
                        ObjectReadContext.empty(), line.getBytes(StandardCharsets.UTF_8))) {
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
                    return new FeedOperation(
                            "POST",
                            DocumentId.parse(json.getString()),
                            Optional.empty(),
                            Optional.of(line));
                }
                if (name.equals("update") && value == JsonToken.VALUE_STRING) {
                    return new FeedOperation(
                            "PUT",
                            DocumentId.parse(json.getString()),
                            Optional.empty(),
                            Optional.of(line));
                }
                if (name.equals("remove") && value == JsonToken.VALUE_STRING) {
                    removed = DocumentId.parse(json.getString());
                } else if (name.equals("condition") && value == JsonToken.VALUE_STRING) {
                    condition = Optional.of(json.getString());
                }
                json.skipChildren();
            }
            if (removed != null) {
                return new FeedOperation("DELETE", removed, condition, Optional.empty());
            }
            throw new InvalidDocumentException(
                    "expected a member 'put', 'update' or 'remove' with an id");
        } catch (JacksonException e) {
            throw new InvalidDocumentException("not JSON: " + e.getOriginalMessage(), e);
        }
    }
}
