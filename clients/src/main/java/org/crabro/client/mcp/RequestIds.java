package org.crabro.client.mcp;

import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Finds the ids of requests, so that errors name them. */
final class RequestIds {
    private static final JsonFactory TOKENS = new JsonFactory();

    private RequestIds() {}

    /** Returns the ids of the requests in a message or a batch; notifications have none. */
    static List<JsonNode> of(JsonNode message) {
        return message.isArray()
                ? StreamSupport.stream(message.spliterator(), false)
                        .flatMap(each -> id(each).stream())
                        .toList()
                : id(message).stream().toList();
    }

    private static Optional<JsonNode> id(JsonNode message) {
        JsonNode id = message.path("id");
        boolean isRequest = message.has("method") && (id.isString() || id.isIntegralNumber());
        return isRequest ? Optional.of(id) : Optional.empty();
    }

    /** Returns the id in the beginning of a message; empty if it is not there. */
    static Optional<JsonNode> ofBeginning(String begin) {
        try (JsonParser json = TOKENS.createParser(ObjectReadContext.empty(), begin)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean isId = json.currentName().equals("id");
                JsonToken value = json.nextToken();
                if (isId) {
                    return switch (value) {
                        case VALUE_STRING ->
                                Optional.of(JsonNodeFactory.instance.stringNode(json.getString()));
                        case VALUE_NUMBER_INT ->
                                Optional.of(
                                        JsonNodeFactory.instance.numberNode(json.getLongValue()));
                        default -> Optional.empty();
                    };
                }
                json.skipChildren();
            }
        } catch (JacksonException _) {
            // Not JSON, or cut before the id: there is no id to answer to.
            return Optional.empty();
        }
        return Optional.empty();
    }
}
