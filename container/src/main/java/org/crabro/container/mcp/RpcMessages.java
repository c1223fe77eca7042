package org.crabro.container.mcp;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import io.modelcontextprotocol.spec.ProtocolVersions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.config.application.NearestName;
import org.crabro.document.memory.MemoryRefusedException;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * Answers messages of JSON-RPC 2.0. It checks what the library of the protocol does not: the form
 * of a message, and that of its parameters.
 */
final class RpcMessages {
    private static final Logger LOG = LoggerFactory.getLogger(RpcMessages.class);

    /** The messages of a batch. One with more is refused. */
    private static final int BATCH_MAX = 20;

    private final HandlerTransport transport;
    private final McpJsonMapper mapper;
    private final Set<String> tools;

    /**
     * @param tools the names of all tools
     */
    RpcMessages(HandlerTransport transport, McpJsonMapper mapper, Set<String> tools) {
        this.transport = transport;
        this.mapper = mapper;
        this.tools = Set.copyOf(tools);
    }

    /** The answer to a body. */
    sealed interface Answer {
        /** The body has no request. */
        record Nothing() implements Answer {}

        /** A response, or a list of responses and errors. */
        record Json(Object value) implements Answer {}

        /** An error that belongs to the whole body. */
        record Failed(RpcError error) implements Answer {}
    }

    /** Returns the error of a request that has no room in memory. */
    static RpcError busy(Object id, MemoryRefusedException refusal) {
        return new RpcError(
                id,
                RpcError.BUSY,
                refusal.isTooLarge()
                        ? HttpStatus.PAYLOAD_TOO_LARGE_413
                        : HttpStatus.TOO_MANY_REQUESTS_429,
                String.valueOf(refusal.getMessage()));
    }

    /**
     * Returns the answer to a body.
     *
     * @param body a message, or a batch of them, as values of JSON
     * @param version the version that client and server have agreed on; null in the first one
     */
    Answer answer(@Nullable Object body, @Nullable String version, McpTransportContext context) {
        if (body instanceof List<?> batch) {
            return batch(batch, version, context);
        }
        Optional<Object> one = one(body, context);
        if (one.isEmpty()) {
            return new Answer.Nothing();
        }
        return one.get() instanceof RpcError error
                ? new Answer.Failed(error)
                : new Answer.Json(one.get());
    }

    private Answer batch(List<?> batch, @Nullable String version, McpTransportContext context) {
        if (version != null && !version.equals(ProtocolVersions.MCP_2025_03_26)) {
            return invalid(
                    "expected a message but found a batch: only version %s has them"
                            .formatted(ProtocolVersions.MCP_2025_03_26));
        }
        if (batch.isEmpty() || batch.size() > BATCH_MAX) {
            return invalid(
                    "a batch has 1 to %d messages, but found %,d"
                            .formatted(BATCH_MAX, batch.size()));
        }
        var answers = new ArrayList<Object>();
        for (Object each : batch) {
            Optional<Object> answer =
                    isInitialization(each)
                            ? Optional.of(
                                    RpcError.invalid(
                                            id(each).orElse(null),
                                            "'initialize' is not possible in a batch"))
                            : one(each, context);
            answer.map(reply -> reply instanceof RpcError error ? error.json() : reply)
                    .ifPresent(answers::add);
        }
        return answers.isEmpty() ? new Answer.Nothing() : new Answer.Json(answers);
    }

    private static Answer invalid(String problem) {
        return new Answer.Failed(RpcError.invalid(null, problem));
    }

    private static boolean isInitialization(@Nullable Object message) {
        return message instanceof Map<?, ?> members
                && McpSchema.METHOD_INITIALIZE.equals(members.get("method"));
    }

    private static Optional<Object> id(@Nullable Object message) {
        return message instanceof Map<?, ?> members
                ? Optional.<Object>ofNullable(members.get("id"))
                        .filter(id ->
                                id instanceof String || id instanceof Integer || id instanceof Long)
                : Optional.empty();
    }

    /** Returns a response or an {@link RpcError}; empty if the message is no request. */
    private Optional<Object> one(@Nullable Object message, McpTransportContext context) {
        if (!(message instanceof Map<?, ?> members)) {
            return Optional.of(
                    RpcError.invalid(null, "expected a message of JSON-RPC 2.0, an object"));
        }
        Optional<Object> id = id(members);
        if (!(members.get("jsonrpc") instanceof String version) || version.isBlank()) {
            return Optional.of(RpcError.invalid(id.orElse(null), "jsonrpc: expected \"2.0\""));
        }
        if (!members.containsKey("method")) {
            // The server sends no requests, so that a response belongs to none.
            return members.containsKey("result") || members.containsKey("error")
                    ? Optional.empty()
                    : Optional.of(RpcError.invalid(id.orElse(null), "method: expected a name"));
        }
        if (!(members.get("method") instanceof String method)) {
            return Optional.of(RpcError.invalid(id.orElse(null), "method: expected a name"));
        }
        if (!members.containsKey("id")) {
            return notified(
                    new McpSchema.JSONRPCNotification(version, method, members.get("params")),
                    context);
        }
        if (id.isEmpty()) {
            return Optional.of(RpcError.invalid(null, "id: expected a text or a whole number"));
        }
        return Optional.of(called(version, method, id.get(), members.get("params"), context));
    }

    private Optional<Object> notified(
            McpSchema.JSONRPCNotification notification, McpTransportContext context) {
        try {
            transport.handler().handleNotification(context, notification).block();
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of(failed(null, notification.method(), e));
        }
    }

    private Object called(
            String version,
            String method,
            Object id,
            @Nullable Object params,
            McpTransportContext context) {
        Optional<String> problem = problem(method, params);
        if (problem.isPresent()) {
            return RpcError.wrongParams(id, problem.get());
        }
        var call = new McpSchema.JSONRPCRequest(version, method, id, params);
        Mono<McpSchema.JSONRPCResponse> response;
        try {
            response = transport.handler().handleRequest(context, call);
        } catch (RuntimeException _) {
            // The library converts the parameters here; tools run later.
            return RpcError.wrongParams(id, "params: not in the form of '%s'".formatted(method));
        }
        try {
            Object answer = response.block();
            return answer == null
                    ? failed(id, method, new IllegalStateException("no response"))
                    : answer;
        } catch (MemoryRefusedException e) {
            return busy(id, e);
        } catch (RuntimeException e) {
            return failed(id, method, e);
        }
    }

    private static RpcError failed(@Nullable Object id, String method, RuntimeException e) {
        LOG.error("a message of the Model Context Protocol failed: {}", method, e);
        return new RpcError(
                id,
                ErrorCodes.INTERNAL_ERROR,
                HttpStatus.INTERNAL_SERVER_ERROR_500,
                "Failed: see the server's log");
    }

    /** Returns what is wrong with the parameters of a method; empty if nothing is. */
    private Optional<String> problem(String method, @Nullable Object params) {
        if (params != null && !(params instanceof Map)) {
            return Optional.of("params: expected an object, but found " + kind(params));
        }
        return switch (method) {
            case McpSchema.METHOD_INITIALIZE -> ofInitialization(params);
            case McpSchema.METHOD_TOOLS_CALL -> ofCall(params);
            default -> Optional.empty();
        };
    }

    private Optional<String> ofInitialization(@Nullable Object params) {
        if (params == null) {
            return Optional.of("params: expected an object with 'protocolVersion'");
        }
        try {
            mapper.convertValue(params, McpSchema.InitializeRequest.class);
            return Optional.empty();
        } catch (RuntimeException _) {
            return Optional.of("params: not in the form of 'initialize'");
        }
    }

    private Optional<String> ofCall(@Nullable Object params) {
        if (!(params instanceof Map<?, ?> members)) {
            return Optional.of("params: expected an object with 'name' and 'arguments'");
        }
        if (!(members.get("name") instanceof String name)) {
            return Optional.of("params.name: expected the name of a tool");
        }
        if (!tools.contains(name)) {
            return Optional.of(
                    "params.name: there is no tool '%s'; expected one of %s%s"
                            .formatted(
                                    name,
                                    String.join(", ", new TreeSet<>(tools)),
                                    NearestName.hint(name, tools)));
        }
        Object arguments = members.get("arguments");
        return arguments == null || arguments instanceof Map
                ? Optional.empty()
                : Optional.of("params.arguments: expected an object, but found " + kind(arguments));
    }

    private static String kind(Object value) {
        return switch (value) {
            case List<?> _ -> "an array";
            case String _ -> "a text";
            case Boolean _ -> "a truth value";
            default -> "a number";
        };
    }
}
