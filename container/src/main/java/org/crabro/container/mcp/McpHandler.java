package org.crabro.container.mcp;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.spec.HttpHeaders;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.crabro.container.http.JsonReply;
import org.crabro.container.http.UnreadBody;
import org.crabro.container.http.UnusableBodyException;
import org.crabro.document.json.MeteredParser;
import org.crabro.document.memory.MemoryRefusedException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Answers requests of the Model Context Protocol over streamable HTTP. Each POST is answered with
 * JSON; there are no sessions and no streams. Blocks while a tool works: it runs on the server's
 * virtual threads.
 */
public final class McpHandler extends Handler.Abstract {
    private static final Logger LOG = LoggerFactory.getLogger(McpHandler.class);

    /** The size of a request. A larger one returns 413. */
    private static final int BODY_BYTES_MAX = 1 << 20;

    /** The requests in progress. Further ones return 429. */
    private static final int REQUESTS_MAX = 64;

    private static final JsonFactory TOKENS = new JsonFactory();

    private static final McpJsonMapper JSON = new JacksonMcpJsonMapper(new JsonMapper());

    private final HandlerTransport transport;
    private final Semaphore free = new Semaphore(REQUESTS_MAX);

    /**
     * @param tools the tools of the server
     */
    public McpHandler(ServerTools tools) {
        this.transport = new HandlerTransport();
        tools.serve(transport, JSON);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback)
            throws IOException {
        if (!HttpMethod.POST.is(request.getMethod())) {
            response.getHeaders().put(HttpHeader.ALLOW, "POST");
            problem(
                    response,
                    callback,
                    HttpStatus.METHOD_NOT_ALLOWED_405,
                    "expected POST but found %s: there are no sessions and no streams"
                            .formatted(request.getMethod()));
            return true;
        }
        String version = request.getHeaders().get(HttpHeaders.PROTOCOL_VERSION);
        List<String> known = transport.protocolVersions();
        if (version != null && !known.contains(version)) {
            problem(
                    response,
                    callback,
                    HttpStatus.BAD_REQUEST_400,
                    "MCP-Protocol-Version: expected one of %s but found '%s'"
                            .formatted(String.join(", ", known), version));
            return true;
        }
        if (!free.tryAcquire()) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, 1);
            problem(
                    response,
                    callback,
                    HttpStatus.TOO_MANY_REQUESTS_429,
                    "%,d requests of the Model Context Protocol are in progress already"
                            .formatted(REQUESTS_MAX));
            return true;
        }
        try {
            answer(request, response, callback);
        } finally {
            free.release();
        }
        return true;
    }

    private void answer(Request request, Response response, Callback callback) throws IOException {
        byte[] body;
        try {
            body = Content.Source.asInputStream(request).readNBytes(BODY_BYTES_MAX + 1);
        } catch (UnusableBodyException e) {
            problem(response, callback, e.getCode(), e.getReason());
            return;
        }
        if (body.length > BODY_BYTES_MAX) {
            UnreadBody.drain(
                    request,
                    response,
                    callback,
                    sent ->
                            problem(
                                    response,
                                    sent,
                                    HttpStatus.PAYLOAD_TOO_LARGE_413,
                                    "the body has more than %,d bytes".formatted(BODY_BYTES_MAX)));
            return;
        }
        McpSchema.JSONRPCMessage message;
        try {
            charge(body);
            message =
                    McpSchema.deserializeJsonRpcMessage(
                            JSON, new String(body, StandardCharsets.UTF_8));
        } catch (MemoryRefusedException e) {
            throw e;
        } catch (IOException | RuntimeException _) {
            problem(
                    response,
                    callback,
                    HttpStatus.BAD_REQUEST_400,
                    "the body is no message of JSON-RPC 2.0");
            return;
        }
        McpTransportContext context =
                McpTransportContext.create(Map.of(ServerTools.REQUEST, request));
        switch (message) {
            case McpSchema.JSONRPCRequest call -> call(call, context, response, callback);
            case McpSchema.JSONRPCNotification notification ->
                    accept(notification, context, response, callback);
            default -> {
                // The server sends no requests, so that a response belongs to none.
                response.setStatus(HttpStatus.ACCEPTED_202);
                callback.succeeded();
            }
        }
    }

    /**
     * Charges the memory of the request for the values in a body.
     *
     * @throws JacksonException if it is no JSON, or nested too deeply
     */
    private static void charge(byte[] body) {
        try (JsonParser tokens =
                MeteredParser.of(TOKENS.createParser(ObjectReadContext.empty(), body))) {
            while (tokens.nextToken() != null) {
                // The parser charges each token.
            }
        }
    }

    private void accept(
            McpSchema.JSONRPCNotification notification,
            McpTransportContext context,
            Response response,
            Callback callback) {
        try {
            transport.handler().handleNotification(context, notification).block();
        } catch (RuntimeException e) {
            failed(notification.method(), e, response, callback);
            return;
        }
        response.setStatus(HttpStatus.ACCEPTED_202);
        callback.succeeded();
    }

    private static void failed(
            String method, RuntimeException e, Response response, Callback callback) {
        LOG.error("a message of the Model Context Protocol failed: {}", method, e);
        problem(
                response,
                callback,
                HttpStatus.INTERNAL_SERVER_ERROR_500,
                "Failed: see the server's log");
    }

    private void call(
            McpSchema.JSONRPCRequest call,
            McpTransportContext context,
            Response response,
            Callback callback)
            throws IOException {
        McpSchema.JSONRPCResponse answer;
        try {
            answer = transport.handler().handleRequest(context, call).block();
        } catch (MemoryRefusedException e) {
            throw e;
        } catch (RuntimeException e) {
            failed(call.method(), e, response, callback);
            return;
        }
        JsonReply.send(response, callback, HttpStatus.OK_200, JSON.writeValueAsBytes(answer));
    }

    private static void problem(Response response, Callback callback, int status, String message) {
        JsonReply.send(response, callback, status, "message", message);
    }
}
