package org.crabro.container.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.Services;
import org.crabro.container.http.AccessLog;
import org.crabro.container.http.HttpListener;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.http.JsonReply;
import org.crabro.document.memory.MemoryShare;
import org.crabro.document.memory.RequestMemory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Talks HTTP to the handler in memory: no port is opened; the endpoints of tools are a double. */
class McpHandlerTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int PLACES = 64;
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}";
    private static final String SEARCH =
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"search\",\"arguments\":{\"query\":\"a\"}}}";

    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);
    private ServerTools tools;
    private final RequestMemory memory = new RequestMemory(1 << 20);
    private final AtomicInteger waiting = new AtomicInteger();
    private final CountDownLatch open = new CountDownLatch(1);

    /** Answers queries when the test says so. */
    private final class Endpoints extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback)
                throws InterruptedException {
            waiting.incrementAndGet();
            open.await();
            JsonReply.send(response, callback, 200, "message", "found");
            return true;
        }
    }

    /** Charges each request for its values, as a server does. */
    private final class Metered extends Handler.Wrapper {
        Metered(Handler handler) {
            super(handler);
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback)
                throws Exception {
            MemoryShare share = memory.open();
            return share.call(
                    () -> super.handle(request, response, Callback.from(callback, share::close)));
        }
    }

    @BeforeEach
    void start() throws Exception {
        var model =
                new ApplicationModel(
                        1,
                        new Services(
                                List.of(new ContainerCluster("default", true, true, List.of())),
                                List.of(
                                        new ContentCluster("one", List.of()),
                                        new ContentCluster("two", List.of()))),
                        Map.of());
        tools = new ServerTools(new Endpoints(), model, "1");
        server.addConnector(connector);
        server.setHandler(new Metered(new McpHandler(tools)));
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        open.countDown();
        server.stop();
    }

    private String post(String body, String... headers) throws Exception {
        return connector.getResponse(
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: %d\r\n%s\r\n%s"
                        .formatted(body.getBytes(UTF_8).length, String.join("", headers), body));
    }

    /** Clients try a new version, and send the next request over the same connection. */
    @ParameterizedTest
    @ValueSource(strings = {"", "{\"jsonrpc\"", PING})
    void theConnectionStaysOpenAfterAnUnknownVersion(String first) throws Exception {
        String begin =
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
                        + PING.length()
                        + "\r\n";
        try (HttpListener listener =
                        HttpListener.start(
                                HttpSettings.loopback(0), new McpHandler(tools), new AccessLog());
                var socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
            OutputStream out = socket.getOutputStream();
            out.write((begin + "MCP-Protocol-Version: 2999-01-01\r\n\r\n" + first).getBytes(UTF_8));
            out.flush();
            out.write(PING.substring(first.length()).getBytes(UTF_8));
            String refused = answer(socket.getInputStream());
            out.write((begin + "\r\n" + PING).getBytes(UTF_8));

            assertThat(refused)
                    .startsWith("HTTP/1.1 400")
                    .contains("found '2999-01-01'")
                    .doesNotContain("Connection: close");
            assertThat(answer(socket.getInputStream())).startsWith("HTTP/1.1 200");
        }
    }

    /** Reads an answer whose body is an object of JSON; its texts have no braces. */
    private static String answer(InputStream in) throws IOException {
        var read = new StringBuilder();
        int open = 0;
        for (int next = in.read(); next >= 0; next = in.read()) {
            read.append((char) next);
            open += next == '{' ? 1 : next == '}' ? -1 : 0;
            if (next == '}' && open == 0) {
                break;
            }
        }
        return read.toString();
    }

    private static JsonNode json(String response) {
        return JSON.readTree(response.substring(response.indexOf("\r\n\r\n") + 4));
    }

    private static void isError(String response, int status, String id, int code, String message) {
        assertThat(response).startsWith("HTTP/1.1 " + status);
        JsonNode answer = json(response);
        assertThat(answer.path("jsonrpc").asString()).isEqualTo("2.0");
        assertThat(answer.path("id").toString()).isEqualTo(id);
        assertThat(answer.at("/error/code").asInt()).isEqualTo(code);
        assertThat(answer.at("/error/message").asString()).contains(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"jsonrpc":"2.0","id":7,"method":"tools/call"}                                  | 200 | 7    | -32602 | params: expected an object with 'name' and 'arguments'
                    {"jsonrpc":"2.0","id":7,"method":"tools/call","params":null}                    | 200 | 7    | -32602 | params: expected an object with 'name' and 'arguments'
                    {"jsonrpc":"2.0","id":"a","method":"tools/call","params":[1]}                   | 200 | "a"  | -32602 | params: expected an object, but found an array
                    {"jsonrpc":"2.0","id":7,"method":"tools/call","params":"get"}                   | 200 | 7    | -32602 | params: expected an object, but found a text
                    {"jsonrpc":"2.0","id":7,"method":"tools/list","params":5}                       | 200 | 7    | -32602 | params: expected an object, but found a number
                    {"jsonrpc":"2.0","id":7,"method":"ping","params":true}                          | 200 | 7    | -32602 | params: expected an object, but found a truth value
                    {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{}}                      | 200 | 7    | -32602 | params.name: expected the name of a tool
                    {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":5}}              | 200 | 7    | -32602 | params.name: expected the name of a tool
                    {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"serch"}}        | 200 | 7    | -32602 | there is no tool 'serch'; expected one of describe, get, search, visit; did you mean 'search'?
                    {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"get","arguments":[1]}} | 200 | 7 | -32602 | params.arguments: expected an object, but found an array
                    {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"get","arguments":"a"}} | 200 | 7 | -32602 | params.arguments: expected an object, but found a text
                    {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"get","_meta":5}} | 200 | 7   | -32602 | params: not in the form of 'tools/call'
                    {"jsonrpc":"2.0","id":7,"method":"initialize"}                                  | 200 | 7    | -32602 | params: expected an object with 'protocolVersion'
                    {"jsonrpc":"2.0","id":7,"method":"initialize","params":[]}                      | 200 | 7    | -32602 | params: expected an object, but found an array
                    {"jsonrpc":"2.0","id":7,"method":"initialize","params":{"capabilities":5}}      | 200 | 7    | -32602 | params: not in the form of 'initialize'
                    {"jsonrpc":"2.0","id":7,"method":"nonsense"}                                    | 200 | 7    | -32601 | nonsense
                    nonsense                                                                        | 400 | null | -32700 | the body is no JSON:
                    {"jsonrpc":"2.0","id":7,"method":"pi                                            | 400 | null | -32700 | the body is no JSON:
                    {"jsonrpc":"2.0","id":7,"method":"ping"} x                                      | 400 | null | -32700 | the body is no JSON:
                    ``                                                                              | 400 | null | -32700 | the body is no JSON:
                    7                                                                               | 400 | null | -32600 | expected a message of JSON-RPC 2.0
                    null                                                                            | 400 | null | -32600 | expected a message of JSON-RPC 2.0
                    {"id":7,"method":"ping"}                                                        | 400 | 7    | -32600 | jsonrpc: expected "2.0"
                    {"jsonrpc":"2.0","id":7}                                                        | 400 | 7    | -32600 | method: expected a name
                    {"jsonrpc":"2.0","id":7,"method":5}                                             | 400 | 7    | -32600 | method: expected a name
                    {"jsonrpc":"2.0","id":null,"method":"ping"}                                     | 400 | null | -32600 | id: expected a text or a whole number
                    {"jsonrpc":"2.0","id":1.5,"method":"ping"}                                      | 400 | null | -32600 | id: expected a text or a whole number
                    {"jsonrpc":"2.0","id":[7],"method":"ping"}                                      | 400 | null | -32600 | id: expected a text or a whole number
                    """)
    void wrongMessagesHaveTheCodesOfJsonRpc(
            String body, int status, String id, int code, String message) throws Exception {
        isError(post(body), status, id, code, message);
    }

    @Test
    void answersABatchOfTheVersionThatHasThem() throws Exception {
        String batch =
                """
                [{"jsonrpc":"2.0","id":1,"method":"ping"},
                 {"jsonrpc":"2.0","method":"notifications/initialized"},
                 {"jsonrpc":"2.0","id":"b","method":"tools/call"},
                 5,
                 {"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-03-26"}},
                 {"jsonrpc":"2.0","id":4,"result":{}}]
                """;

        for (String[] headers :
                List.of(new String[0], new String[] {"MCP-Protocol-Version: 2025-03-26\r\n"})) {
            String response = post(batch, headers);

            assertThat(response).startsWith("HTTP/1.1 200");
            assertThat(json(response))
                    .extracting(answer -> answer.path("id") + " " + answer.at("/error/code"))
                    .containsExactly("1 ", "\"b\" -32602", "null -32600", "3 -32600");
        }
    }

    @Test
    void laterVersionsHaveNoBatches() throws Exception {
        for (String version : List.of("2025-06-18", "2025-11-25")) {
            isError(
                    post("[" + PING + "]", "MCP-Protocol-Version: " + version + "\r\n"),
                    400,
                    "null",
                    -32600,
                    "only version 2025-03-26 has them");
        }
    }

    @Test
    void aBatchHasABound() throws Exception {
        isError(post("[]"), 400, "null", -32600, "a batch has 1 to 20 messages, but found 0");
        isError(
                post("[" + PING + ("," + PING).repeat(20) + "]"),
                400,
                "null",
                -32600,
                "a batch has 1 to 20 messages, but found 21");
        assertThat(json(post("[" + PING + ("," + PING).repeat(19) + "]"))).hasSize(20);
    }

    @Test
    void aBatchWithoutRequestsHasNoAnswer() throws Exception {
        assertThat(post("[{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}]"))
                .startsWith("HTTP/1.1 202");
    }

    @Test
    void aFullServerAnswersTheRequestWithAnError() throws Exception {
        var answers = new ArrayList<Future<String>>();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            IntStream.range(0, PLACES)
                    .forEach(_ -> answers.add(clients.submit(() -> post(SEARCH))));
            await().atMost(ONE_MINUTE)
                    .pollInterval(ONE_MILLISECOND)
                    .untilAsserted(() -> assertThat(waiting).hasValue(PLACES));

            String refused = post(PING);
            isError(refused, 200, "7", -32000, "64 requests of the Model Context Protocol");
            assertThat(refused).contains("Retry-After: 1\r\n");
            assertThat(json(refused).at("/error/data/status").asInt()).isEqualTo(429);
            // There is no id to answer to.
            for (String body :
                    List.of(
                            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
                            "nonsense",
                            "{\"params\":\"" + "x".repeat(70_000) + "\",\"id\":7}")) {
                assertThat(post(body))
                        .startsWith("HTTP/1.1 429")
                        .contains(
                                "Retry-After: 1\r\n", "64 requests of the Model Context Protocol");
            }

            open.countDown();
            for (Future<String> answer : answers) {
                assertThat(answer.get()).startsWith("HTTP/1.1 200").contains("found");
            }
        }
        assertThat(post(PING)).contains("\"result\":{}");
    }

    @Test
    void aRequestWithoutRoomInMemoryIsAnsweredWithAnError() throws Exception {
        String large =
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"search\",\"arguments\":{\"a\":[[]%s]}}}"
                        .formatted(",[]".repeat(20_000));

        String response = post(large);

        isError(response, 200, "7", -32000, "requests.memory");
        assertThat(json(response).at("/error/data/status").asInt()).isEqualTo(413);
        assertThat(response).doesNotContain("Retry-After");
        try (MemoryShare other = memory.open()) {
            other.charge(memory.mostOfOne());
            String busy = post(large.replace(",[]".repeat(20_000), ",[]".repeat(5_000)));

            isError(busy, 200, "7", -32000, "others use it");
            assertThat(json(busy).at("/error/data/status").asInt()).isEqualTo(429);
            assertThat(busy).contains("Retry-After: 1\r\n");
        }
    }

    @Test
    void aVisitOfSeveralClustersNamesTheArgument() throws Exception {
        String visit = SEARCH.replace("search", "visit").replace("\"query\":\"a\"", "\"count\":1");

        assertThat(json(post(visit)).at("/result/content/0/text").asString())
                .isEqualTo("cluster: expected one of one, two, but found none");
    }
}
