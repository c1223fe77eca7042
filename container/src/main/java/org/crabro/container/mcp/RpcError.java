package org.crabro.container.mcp;

import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import java.util.LinkedHashMap;
import java.util.Map;
import org.crabro.text.Excerpt;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/**
 * An error of JSON-RPC 2.0.
 *
 * @param id of the request; null if it is unknown
 * @param code one of {@link ErrorCodes}, or {@link #BUSY}
 * @param status the status of HTTP with the same meaning
 */
record RpcError(@Nullable Object id, int code, int status, String message) {
    /** The server cannot work on the request now, or not with its memory. */
    static final int BUSY = -32_000;

    RpcError {
        message = Excerpt.message(message);
    }

    /** A body that is no JSON. */
    static RpcError unparsed(String problem) {
        return new RpcError(null, ErrorCodes.PARSE_ERROR, HttpStatus.BAD_REQUEST_400, problem);
    }

    /** JSON that is no message. */
    static RpcError invalid(@Nullable Object id, String problem) {
        return new RpcError(id, ErrorCodes.INVALID_REQUEST, HttpStatus.BAD_REQUEST_400, problem);
    }

    /** A request whose parameters are wrong. */
    static RpcError wrongParams(Object id, String problem) {
        return new RpcError(id, ErrorCodes.INVALID_PARAMS, HttpStatus.BAD_REQUEST_400, problem);
    }

    /**
     * Returns whether the status of HTTP is 200. Clients of the protocol show the error of a
     * request only then: of other answers they show the status alone.
     */
    boolean isAnswer() {
        return id != null && (code == ErrorCodes.INVALID_PARAMS || code == BUSY);
    }

    /** Returns the error as values of JSON. */
    Map<String, @Nullable Object> json() {
        var error = new LinkedHashMap<String, Object>();
        error.put("code", code);
        error.put("message", message);
        if (code == BUSY) {
            error.put("data", Map.of("status", status));
        }
        var json = new LinkedHashMap<String, @Nullable Object>();
        json.put("jsonrpc", "2.0");
        json.put("id", id);
        json.put("error", error);
        return json;
    }
}
