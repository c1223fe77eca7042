package org.crabro.container.llm;

import java.util.Optional;
import org.crabro.component.LanguageModelException;
import org.crabro.component.QueryError;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Converts a failed answer of a service to an error for the client, without the key. */
final class ChatFailure {
    private static final JsonMapper JSON = new JsonMapper();

    /** A longer message of the service is cut. */
    private static final int MESSAGE_CHARS = 500;

    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int UNPROCESSABLE = 422;
    private static final int TOO_MANY = 429;

    private ChatFailure() {}

    /**
     * Returns the error for a status of the service.
     *
     * @param key that the message must not contain
     */
    static LanguageModelException of(int status, byte[] body, Optional<String> key) {
        return switch (status) {
            // The message of the service may contain a part of the key.
            case UNAUTHORIZED, FORBIDDEN ->
                    failure(
                            QueryError.Kind.UNAVAILABLE,
                            key.isPresent()
                                    ? "the service rejects the key (status %d)".formatted(status)
                                    : "the service needs a key (status %d)".formatted(status));
            case BAD_REQUEST, UNPROCESSABLE ->
                    failure(QueryError.Kind.INVALID_QUERY, message(status, body, key));
            case TOO_MANY -> failure(QueryError.Kind.OVERLOADED, message(status, body, key));
            default -> failure(QueryError.Kind.UNAVAILABLE, message(status, body, key));
        };
    }

    private static LanguageModelException failure(QueryError.Kind kind, String problem) {
        return new LanguageModelException(kind, problem);
    }

    private static String message(int status, byte[] body, Optional<String> key) {
        String said = without(said(body), key);
        String problem = "the service returned status " + status;
        return said.isBlank() ? problem : problem + ": " + said;
    }

    private static String said(byte[] body) {
        try {
            JsonNode error = JSON.readTree(body).path("error");
            return error.isString() ? error.asString() : error.path("message").asString("");
        } catch (JacksonException _) {
            // A page of a proxy, for example: its status says enough.
            return "";
        }
    }

    /** Returns a text of the service without the key, cut if it is long. */
    static String without(String text, Optional<String> key) {
        String safe =
                key.map(String::strip)
                        .filter(value -> !value.isEmpty())
                        .map(value -> text.replace(value, "***"))
                        .orElse(text);
        return safe.length() > MESSAGE_CHARS ? safe.substring(0, MESSAGE_CHARS) + "..." : safe;
    }
}
