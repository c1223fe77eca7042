package org.crabro.client.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.crabro.client.http.ServerAccess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bridge before a server whose answers each test gives. */
class McpBridgeTest {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    private static final String PONG = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";

    /** What the server does with a message. */
    private interface Reply {
        void to(HttpExchange exchange, String message) throws IOException;
    }

    private final List<String> versions = new CopyOnWriteArrayList<>();
    private final ByteArrayOutputStream logged = new ByteArrayOutputStream();
    private Reply reply = (exchange, _) -> answer(exchange, 200, PONG);
    private HttpServer http;
    private ServerAccess access;

    @BeforeEach
    void start() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(
                Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("server").factory()));
        access =
                ServerAccess.of(URI.create("http://127.0.0.1:" + http.getAddress().getPort()))
                        .withToken("secret");
        http.createContext("/state/v1/health", exchange -> answer(exchange, 200, "{}"));
        http.createContext(
                "/mcp",
                exchange -> {
                    versions.add(
                            String.valueOf(
                                    exchange.getRequestHeaders().getFirst("MCP-Protocol-Version")));
                    assertThat(exchange.getRequestHeaders().getFirst("Authorization"))
                            .isEqualTo("Bearer secret");
                    reply.to(exchange, new String(exchange.getRequestBody().readAllBytes(), UTF_8));
                });
        http.start();
    }

    @AfterEach
    void stop() {
        http.stop(0);
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
        exchange.close();
    }

    private List<String> lines(String... input) throws Exception {
        var out = new ByteArrayOutputStream();
        run(String.join("\n", input), Optional.empty(), out);
        return out.toString(UTF_8).lines().sorted().toList();
    }

    private void run(String input, Optional<GroupScope> scope, OutputStream out) throws Exception {
        var log = new PrintStream(logged, true, UTF_8);
        try (var server = BridgedServer.open(access, Optional.empty(), log)) {
            new McpBridge(server, scope, out, log)
                    .run(new ByteArrayInputStream(input.getBytes(UTF_8)));
        }
    }

    @Test
    void sendsMessagesAndWritesAnswersAsLines() throws Exception {
        reply =
                (exchange, message) -> {
                    assertThat(message).isEqualTo(PING);
                    answer(
                            exchange,
                            200,
                            "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1, \"result\": {\"a\":\"x\\ny\"}\n}");
                };

        assertThat(lines("", PING, " \t", ""))
                .containsExactly("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"x\\ny\"}}");
    }

    @Test
    void notificationsHaveNoAnswer() throws Exception {
        reply = (exchange, _) -> answer(exchange, 202, "");

        assertThat(lines("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"))
                .isEmpty();
    }

    @Test
    void failedNotificationsAreLogged() throws Exception {
        reply = (exchange, _) -> answer(exchange, 500, "{\"message\":\"out of order\"}");

        assertThat(lines("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"))
                .isEmpty();
        assertThat(logged.toString(UTF_8)).contains("out of order");
    }

    @Test
    void sendsTheVersionThatInitializeReturned() throws Exception {
        String agreed =
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-06-18\"}}";
        var answered = new CountDownLatch(1);
        reply =
                (exchange, message) ->
                        answer(exchange, 200, message.contains("initialize") ? agreed : PONG);
        // A client sends its next message when it has the answer.
        var in =
                new java.io.SequenceInputStream(
                        new ByteArrayInputStream(
                                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}\n"
                                        .getBytes(UTF_8)),
                        new AwaitedInput(answered, PING));
        var out =
                new ByteArrayOutputStream() {
                    @Override
                    public void flush() {
                        answered.countDown();
                    }
                };
        var log = new PrintStream(logged, true, UTF_8);
        try (var server = BridgedServer.open(access, Optional.empty(), log)) {
            new McpBridge(server, Optional.empty(), out, log).run(in);
        }

        assertThat(out.toString(UTF_8).lines()).containsExactly(agreed, PONG);
        assertThat(versions).containsExactly("null", "2025-06-18");
    }

    /** An input that begins after an event. */
    private static final class AwaitedInput extends java.io.InputStream {
        private final CountDownLatch event;
        private final ByteArrayInputStream text;

        AwaitedInput(CountDownLatch event, String text) {
            this.event = event;
            this.text = new ByteArrayInputStream(text.getBytes(UTF_8));
        }

        @Override
        public int read() throws IOException {
            await();
            return text.read();
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            await();
            return text.read(into, offset, length);
        }

        private void await() throws IOException {
            try {
                event.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    garbage | {"jsonrpc":"2.0","id":null,"error":{"code":-32700,
                    {"a":   | {"jsonrpc":"2.0","id":null,"error":{"code":-32700,
                    {} {}   | {"jsonrpc":"2.0","id":null,"error":{"code":-32700,
                    """)
    void answersGarbageWithAnError(String line, String begin) throws Exception {
        List<String> answers = lines(line, PING);

        assertThat(answers).hasSize(2).contains(PONG);
        assertThat(answers).anyMatch(answer -> answer.startsWith(begin));
        assertThat(versions).hasSize(1);
    }

    @Test
    void answersDeepJsonWithAnError() throws Exception {
        for (String deep : List.of("[".repeat(500_000), "{\"a\":".repeat(100_000))) {
            assertThat(lines(deep, PING))
                    .hasSize(2)
                    .anyMatch(answer -> answer.contains("\"code\":-32700"))
                    .contains(PONG);
        }
    }

    @Test
    void refusesLongLines() throws Exception {
        String text = "x".repeat(McpBridge.LINE_BYTES_MAX + 1);

        assertThat(lines("{\"id\":7,\"method\":\"a\",\"params\":\"" + text + "\"}", text, PING))
                .containsExactlyInAnyOrder(
                        PONG,
                        "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32600,\"message\":\"the message has more than 1,048,576 bytes\"}}",
                        "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":\"the message has more than 1,048,576 bytes\"}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    404 | {"message":"no"}           | bind /mcp in its services.xml
                    401 | {"message":"token wrong"}  | token wrong
                    503 | {"message":"full"}         | full
                    200 | 5                          | 200
                    200 | <html>                     | 200
                    500 | ''                         | 500
                    """)
    void answersForAServerWithoutAnswer(int status, String body, String message) throws Exception {
        reply = (exchange, _) -> answer(exchange, status, body);

        assertThat(lines(PING))
                .singleElement()
                .asString()
                .startsWith("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32000,")
                .contains(message);
        assertThat(lines("[" + PING + "]")).singleElement().asString().startsWith("[{\"jsonrpc\"");
    }

    @Test
    void forwardsErrorsOfTheServer() throws Exception {
        String error =
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":\"no\"}}";
        reply = (exchange, _) -> answer(exchange, 400, error);

        assertThat(lines(PING)).containsExactly(error);
    }

    @Test
    void limitsTheRequestsInProgress() throws Exception {
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        var full = new CountDownLatch(McpBridge.REQUESTS_MAX);
        reply =
                (exchange, _) -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    full.countDown();
                    try {
                        full.await();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    running.decrementAndGet();
                    answer(exchange, 200, PONG);
                };
        var input = new ArrayList<String>();
        for (int i = 0; i < 4 * McpBridge.REQUESTS_MAX; i++) {
            input.add(PING);
        }

        assertThat(lines(input.toArray(String[]::new))).hasSize(input.size());
        assertThat(most).hasValue(McpBridge.REQUESTS_MAX);
    }

    @Test
    void endsWhenTheOutputIsClosed() {
        var closed =
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("closed");
                    }
                };

        assertThatThrownBy(() -> run(PING + "\n" + PING, Optional.empty(), closed))
                .isInstanceOf(IOException.class)
                .hasMessage("an answer cannot be written: closed");
    }

    @Test
    void addsTheGroup() throws Exception {
        var received = new CopyOnWriteArrayList<String>();
        reply =
                (exchange, message) -> {
                    received.add(message);
                    answer(exchange, 200, PONG);
                };
        var out = new ByteArrayOutputStream();
        run(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"search\",\"arguments\":{\"query\":\"a\"}}}\n"
                        + "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"search\",\"arguments\":{\"group\":\"bob\"}}}",
                Optional.of(new GroupScope("ann")),
                out);

        assertThat(received).singleElement().asString().contains("\"group\":\"ann\"");
        assertThat(out.toString(UTF_8).lines())
                .hasSize(2)
                .anyMatch(line -> line.contains("\"id\":2,\"error\":{\"code\":-32602"));
    }

    @Test
    void saysWhereItLooksForAServer() {
        http.stop(0);

        assertThatThrownBy(() -> run(PING, Optional.empty(), new ByteArrayOutputStream()))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "no server answers at %s: start one with 'crabro serve', or name the directory of its data with --data"
                                .formatted(access));
    }
}
