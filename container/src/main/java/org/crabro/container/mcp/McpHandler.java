package org.crabro.container.mcp;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.spec.HttpHeaders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.crabro.container.access.AccessHandler;
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
public final class McpHandler extends Handler.Abstract implements AccessHandler.Refusals {
    /** The size of a request. A larger one returns 413. */
    private static final int BODY_BYTES_MAX = 1 << 20;

    /** The requests in progress. Further ones are refused. */
    private static final int REQUESTS_MAX = 64;

    /** The refused requests whose bodies are read at the same time. Further ones return 429. */
    private static final int REFUSALS_MAX = 64;

    /** The beginning of the body of a refused request that is searched for its id. */
    private static final int REFUSED_BYTES_MAX = 64 << 10;

    private static final JsonFactory TOKENS = new JsonFactory();
    private static final JsonMapper VALUES = new JsonMapper();
    private static final McpJsonMapper JSON = new JacksonMcpJsonMapper(VALUES);

    private final HandlerTransport transport;
    private final RpcMessages messages;
    private final Semaphore free = new Semaphore(REQUESTS_MAX);
    private final Semaphore refusals = new Semaphore(REFUSALS_MAX);

    /**
     * @param tools the tools of the server
     */
    public McpHandler(ServerTools tools) {
        this.transport = new HandlerTransport();
        this.messages = new RpcMessages(transport, JSON, tools.serve(transport, JSON));
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
        List<String> versions = transport.protocolVersions();
        if (version != null && !versions.contains(version)) {
            // Clients try a new version first, and send an older one over the same connection.
            UnreadBody.drain(
                    request,
                    response,
                    callback,
                    sent ->
                            problem(
                                    response,
                                    sent,
                                    HttpStatus.BAD_REQUEST_400,
                                    "MCP-Protocol-Version: expected one of %s but found '%s'"
                                            .formatted(String.join(", ", versions), version)));
            return true;
        }
        if (!free.tryAcquire()) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, 1);
            send(
                    request,
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
        Object read;
        try {
            charge(body);
            read = VALUES.readValue(body, Object.class);
        } catch (MemoryRefusedException e) {
            refused(e, body, response, callback);
            return;
        } catch (JacksonException e) {
            problem(
                    response,
                    callback,
                    RpcError.unparsed("the body is no JSON: " + e.getOriginalMessage()));
            return;
        }
        McpTransportContext context =
                McpTransportContext.create(Map.of(ServerTools.REQUEST, request));
        String version = request.getHeaders().get(HttpHeaders.PROTOCOL_VERSION);
        switch (messages.answer(read, version, context)) {
            case RpcMessages.Answer.Nothing() -> {
                response.setStatus(HttpStatus.ACCEPTED_202);
                callback.succeeded();
            }
            case RpcMessages.Answer.Json(var value) ->
                    JsonReply.send(
                            response, callback, HttpStatus.OK_200, JSON.writeValueAsBytes(value));
            case RpcMessages.Answer.Failed(var error) -> problem(response, callback, error);
        }
    }

    /** Answers a request whose values have no room in the memory of requests. */
    private static void refused(
            MemoryRefusedException refusal, byte[] body, Response response, Callback callback) {
        Optional<Object> id = RequestId.of(body);
        if (id.isEmpty()) {
            throw refusal;
        }
        if (!refusal.isTooLarge()) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, 1);
        }
        problem(response, callback, RpcMessages.busy(id.get(), refusal));
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

    /** A refusal at a bound names the request, and therefore reads it. */
    @Override
    public boolean readsBody() {
        return true;
    }

    /**
     * Refuses a request. Clients of the protocol show the message of an error that names their
     * request, but not that of another answer. So the answer to a request at a bound is such an
     * error, if the beginning of its body has the id.
     */
    @Override
    public void send(
            Request request, Response response, Callback callback, int status, String message) {
        if (status == HttpStatus.TOO_MANY_REQUESTS_429) {
            Optional<Object> id = refusedId(request);
            if (id.isPresent()) {
                UnreadBody.drain(
                        request,
                        response,
                        callback,
                        sent ->
                                problem(
                                        response,
                                        sent,
                                        new RpcError(id.get(), RpcError.BUSY, status, message)));
                return;
            }
        }
        UnreadBody.drain(
                request,
                response,
                callback,
                sent -> JsonReply.sendProblem(request, response, sent, status, message));
    }

    private Optional<Object> refusedId(Request request) {
        if (!HttpMethod.POST.is(request.getMethod()) || !refusals.tryAcquire()) {
            return Optional.empty();
        }
        try {
            return RequestId.of(
                    Content.Source.asInputStream(request).readNBytes(REFUSED_BYTES_MAX));
        } catch (IOException _) {
            // The client has left, or sends too slowly: the answer without an id is sent.
            return Optional.empty();
        } finally {
            refusals.release();
        }
    }

    private static void problem(Response response, Callback callback, RpcError error) {
        byte[] json;
        try {
            json = JSON.writeValueAsBytes(error.json());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        JsonReply.send(
                response, callback, error.isAnswer() ? HttpStatus.OK_200 : error.status(), json);
    }

    private static void problem(Response response, Callback callback, int status, String message) {
        JsonReply.send(response, callback, status, "message", message);
    }
}
