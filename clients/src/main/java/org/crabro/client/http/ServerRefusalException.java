package org.crabro.client.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A server answered a request with an error status. The message has the reason of the server, then
 * the address and the status.
 */
public final class ServerRefusalException extends IOException {
    private static final long serialVersionUID = 1;

    /** The maximum length of the body of an answer that is shown. */
    private static final int SHOWN = 2_000;

    private static final JsonMapper JSON = new JsonMapper();

    private final int status;

    private ServerRefusalException(int status, String message) {
        super(message);
        this.status = status;
    }

    /** Returns the refusal for an answer whose status is not 2xx. */
    public static ServerRefusalException of(HttpResponse<String> response) {
        return of(response.uri(), response.statusCode(), response.body());
    }

    /** Returns the refusal for the status and the body of an answer. */
    public static ServerRefusalException of(URI address, int status, String body) {
        // The query of an address contains values of users.
        String place = address.toString().split("\\?", 2)[0];
        String reason = reason(body).strip();
        String end = "(" + place + " answered " + status + ")";
        return new ServerRefusalException(
                status,
                reason.isEmpty()
                        ? place + " answered " + status
                        : reason + (reason.contains("\n") ? "\n" : " ") + end);
    }

    private static String reason(String body) {
        try {
            JsonNode answer = JSON.readTree(body);
            JsonNode reason = answer.path("message");
            if (reason.isString()) {
                return reason.asString();
            }
            JsonNode error = answer.path("root").path("errors").path(0);
            if (error.path("message").isString()) {
                return error.get("message").asString();
            }
        } catch (JacksonException _) {
            // A body that is not JSON is shown as it is.
        }
        return body.length() <= SHOWN ? body : body.substring(0, SHOWN) + "…";
    }

    /** Returns the status of the answer, such as 400. */
    public int status() {
        return status;
    }
}
