package org.crabro.client.mcp;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes errors of JSON-RPC 2.0. */
final class RpcErrors {
    static final int UNPARSED = -32700;
    static final int INVALID = -32600;
    static final int INVALID_PARAMS = -32602;
    static final int FAILED = -32000;

    private static final JsonMapper JSON = new JsonMapper();

    private RpcErrors() {}

    /** Returns an error that belongs to no request if there is no id. */
    static byte[] one(Optional<JsonNode> id, int code, String message) {
        return JSON.writeValueAsBytes(error(id, code, message));
    }

    /** Returns the answer to a message or a batch: an error for each id. */
    static byte[] each(JsonNode message, List<JsonNode> ids, int code, String problem) {
        if (!message.isArray()) {
            return one(ids.stream().findFirst(), code, problem);
        }
        ArrayNode errors = JSON.createArrayNode();
        ids.forEach(id -> errors.add(error(Optional.of(id), code, problem)));
        return JSON.writeValueAsBytes(errors);
    }

    private static ObjectNode error(Optional<JsonNode> id, int code, String message) {
        ObjectNode error = JSON.createObjectNode().put("jsonrpc", "2.0");
        id.ifPresentOrElse(given -> error.set("id", given), () -> error.putNull("id"));
        error.putObject("error").put("code", code).put("message", message);
        return error;
    }
}
