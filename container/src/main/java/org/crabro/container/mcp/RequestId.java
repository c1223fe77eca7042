package org.crabro.container.mcp;

import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Finds the id of a request in a body that is not read otherwise, because the server has no room
 * for it. Makes no other values.
 */
final class RequestId {
    private static final JsonFactory TOKENS = new JsonFactory();

    private RequestId() {}

    /** Returns the id: a text or a whole number; empty if the body has none. */
    static Optional<Object> of(byte[] body) {
        try (JsonParser json = TOKENS.createParser(ObjectReadContext.empty(), body)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean isId = json.currentName().equals("id");
                JsonToken value = json.nextToken();
                if (isId) {
                    return value == JsonToken.VALUE_STRING
                            ? Optional.of(json.getString())
                            : value == JsonToken.VALUE_NUMBER_INT
                                    ? Optional.of(json.getLongValue())
                                    : Optional.empty();
                }
                json.skipChildren();
            }
        } catch (JacksonException _) {
            // Not JSON, or a number beyond 64 bits: there is no id to answer to.
        }
        return Optional.empty();
    }
}
