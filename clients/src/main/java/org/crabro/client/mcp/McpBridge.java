package org.crabro.client.mcp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.crabro.client.http.ServerAccess;
import org.crabro.client.http.ServerRefusalException;
import org.crabro.client.http.UnreachableServerException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends the messages of an input, one a line, to {@code /mcp} of a server, and writes the answers
 * as lines. An answer is written when it arrives, so answers can have another order than requests.
 */
final class McpBridge {
    /** A longer line is refused, as the server refuses a longer body. */
    static final int LINE_BYTES_MAX = 1 << 20;

    /** A longer answer of the server is an error. */
    static final long REPLY_BYTES_MAX = 64 << 20;

    /** The requests in progress. The next line is read when one of them ends. */
    static final int REQUESTS_MAX = 16;

    /** A query has 10 s by default. Documents and models may need longer. */
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private static final URI PATH = URI.create("/mcp");
    private static final String VERSION = "MCP-Protocol-Version";
    private static final JsonMapper JSON = new JsonMapper();

    private final BridgedServer server;
    private final Optional<GroupScope> scope;
    private final OutputStream out;
    private final PrintStream log;
    private final Semaphore free = new Semaphore(REQUESTS_MAX);
    private final ReentrantLock writing = new ReentrantLock();

    /** The version that client and server have agreed on; null before that. */
    private final AtomicReference<@Nullable String> version = new AtomicReference<>();

    private final AtomicReference<@Nullable IOException> unwritten = new AtomicReference<>();

    /**
     * @param out gets nothing but messages
     * @param log gets lines for people
     */
    McpBridge(BridgedServer server, Optional<GroupScope> scope, OutputStream out, PrintStream log) {
        this.server = server;
        this.scope = scope;
        this.out = out;
        this.log = log;
    }

    /**
     * Answers until the input ends and all answers are written.
     *
     * @throws IOException if the input cannot be read or an answer cannot be written
     */
    void run(InputStream in) throws IOException, InterruptedException {
        try (ExecutorService requests =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("mcp-request").factory())) {
            var lines = new MessageLines(in, LINE_BYTES_MAX);
            while (unwritten.get() == null) {
                MessageLines.Item item = lines.next();
                if (item instanceof MessageLines.Item.End) {
                    break;
                }
                free.acquire();
                requests.execute(() -> {
                    try {
                        answer(item);
                    } finally {
                        free.release();
                    }
                });
            }
        }
        IOException failure = unwritten.get();
        if (failure != null) {
            throw new IOException("an answer cannot be written: " + failure.getMessage(), failure);
        }
    }

    private void answer(MessageLines.Item item) {
        switch (item) {
            case MessageLines.Item.Line(String text) -> answer(text);
            case MessageLines.Item.TooLong(String begin) ->
                    write(
                            RpcErrors.one(
                                    RequestIds.ofBeginning(begin),
                                    RpcErrors.INVALID,
                                    "the message has more than %,d bytes"
                                            .formatted(LINE_BYTES_MAX)));
            case MessageLines.Item.End() ->
                    throw new IllegalStateException("the end has no answer");
        }
    }

    private void answer(String line) {
        if (line.isBlank()) {
            return;
        }
        JsonNode message;
        try {
            message = JSON.readTree(line);
        } catch (JacksonException e) {
            write(
                    RpcErrors.one(
                            Optional.empty(),
                            RpcErrors.UNPARSED,
                            "the line is no JSON: " + e.getOriginalMessage()));
            return;
        }
        List<JsonNode> ids = RequestIds.of(message);
        Optional<String> refusal = scope.flatMap(given -> given.apply(message));
        if (refusal.isPresent()) {
            failed(message, ids, RpcErrors.INVALID_PARAMS, refusal.get());
            return;
        }
        try {
            String sent = scope.isPresent() ? JSON.writeValueAsString(message) : line;
            answer(message, ids, server.send(access -> request(access, sent), handler()));
        } catch (UnreachableServerException e) {
            failed(
                    message,
                    ids,
                    RpcErrors.FAILED,
                    e.getMessage()
                            + ": start one with 'crabro serve', or name its data with --data");
        } catch (IOException e) {
            failed(message, ids, RpcErrors.FAILED, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failed(message, ids, RpcErrors.FAILED, "the program ends");
        }
    }

    private static HttpResponse.BodyHandler<byte[]> handler() {
        return BodyHandlers.limiting(BodyHandlers.ofByteArray(), REPLY_BYTES_MAX);
    }

    private HttpRequest request(ServerAccess access, String message) {
        HttpRequest.Builder request =
                access.request(PATH)
                        .timeout(TIMEOUT)
                        .version(HttpClient.Version.HTTP_1_1)
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(message));
        String agreed = version.get();
        if (agreed != null) {
            request.header(VERSION, agreed);
        }
        return request.build();
    }

    private void answer(JsonNode message, List<JsonNode> ids, HttpResponse<byte[]> response) {
        byte[] body = response.body();
        if (body.length == 0 && response.statusCode() / 100 == 2) {
            return;
        }
        JsonNode answer;
        try {
            answer = JSON.readTree(body);
        } catch (JacksonException _) {
            answer = JSON.nullNode();
        }
        if (answer.isArray() || answer.has("jsonrpc")) {
            if (message.path("method").asString("").equals("initialize")) {
                String agreed = answer.path("result").path("protocolVersion").asString("");
                version.set(agreed.isEmpty() ? null : agreed);
            }
            write(JSON.writeValueAsBytes(answer));
            return;
        }
        String problem =
                response.statusCode() == 404
                        ? "the server's application has no tools: bind /mcp in its services.xml; packages of 'crabro import' do"
                        : String.valueOf(
                                ServerRefusalException.of(
                                                response.uri(),
                                                response.statusCode(),
                                                new String(body, StandardCharsets.UTF_8))
                                        .getMessage());
        failed(message, ids, RpcErrors.FAILED, problem);
    }

    /** Answers all requests of a message. A notification has no answer: its failure is logged. */
    private void failed(JsonNode message, List<JsonNode> ids, int code, String problem) {
        if (ids.isEmpty()) {
            log.println("crabro mcp: " + problem);
            return;
        }
        write(RpcErrors.each(message, ids, code, problem));
    }

    private void write(byte[] message) {
        writing.lock();
        try {
            out.write(message);
            out.write('\n');
            out.flush();
        } catch (IOException e) {
            unwritten.compareAndSet(null, e);
        } finally {
            writing.unlock();
        }
    }
}
