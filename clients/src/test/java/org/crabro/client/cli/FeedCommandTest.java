package org.crabro.client.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A server that answers each line with the status in it, or rejects bulk requests. */
class FeedCommandTest {
    private static final String FINE = "{\"put\":\"id:a:b::1\",\"fields\":{},\"s\":200}\n";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final AtomicInteger busyAnswers = new AtomicInteger();
    private int oneStatus = 200;
    private boolean isBulk = true;
    private HttpServer server;

    @TempDir private Path directory;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void endsWith0WhereAllWasCarriedOutOrDidNotHold() throws IOException {
        assertThat(feed(FINE + FINE.replace("200", "412"))).isZero();
        assertThat(out.toString())
                .contains("\"feeder.operation.count\": 2,")
                .contains("\"feeder.error.count\": 0,");
    }

    @Test
    void endsWith1WhereAnOperationFailed() throws IOException {
        assertThat(feed(FINE + FINE.replace("200", "507"))).isEqualTo(1);
        assertThat(err.toString()).contains("operation 2, id:a:b::1: 507");
    }

    @Test
    void sendsOneByOneWhereTheServerTakesNoLines() throws IOException {
        isBulk = false;

        String array =
                "["
                        + FINE
                        + ","
                        + FINE.replace("put", "update")
                        + ",\n{\"remove\":\n\"id:a:b::2\"}]";

        assertThat(feed(array)).isZero();
        assertThat(err.toString()).contains("operations are sent one by one");
        assertThat(out.toString())
                .contains("\"feeder.operation.count\": 3,")
                .contains("\"feeder.ok.count\": 3,")
                .contains("\"http.request.count\": 3,")
                .contains("\"http.response.code.counts\": {\n    \"200\": 3\n  }");
    }

    @Test
    void endsWith2WhereItIsNotUnderstood() throws IOException {
        assertThat(feed(FINE, "--connections", "0")).isEqualTo(2);
    }

    @Test
    void waitsForAFullServerAsLongAsItIsTold() throws IOException {
        busyAnswers.set(3);

        assertThat(feed(FINE, "--timeout", "1m")).isZero();
        assertThat(err.toString()).contains("The server is full, and the client waits for it");
    }

    @Test
    void endsWith1WhereTheServerIsFullForTheTimeout() throws IOException {
        busyAnswers.set(Integer.MAX_VALUE);

        assertThat(feed(FINE, "--timeout", "0")).isEqualTo(1);
        assertThat(feed(FINE, "--timeout", "0s", "--single")).isEqualTo(1);
        assertThat(err.toString()).contains("answered 503");
    }

    @Test
    void keepsInTheSpoolWhatTheServerDidNotDo() throws IOException {
        String spool = directory.resolve("spool").toString();
        oneStatus = 507;

        assertThat(feed(FINE, "--spool", spool)).isEqualTo(1);
        assertThat(err.toString())
                .contains("1 operations stay in " + spool)
                .doesNotContain("of an earlier start");

        oneStatus = 200;
        assertThat(feed(FINE.replace("::1", "::2"), "--spool", spool, "--spool-sync")).isZero();
        assertThat(err.toString())
                .contains("1 operations of an earlier start were sent first, 0 failed.");
    }

    @Test
    void syncsNoSpoolThatItHasNot() throws IOException {
        assertThat(feed(FINE, "--spool-sync")).isEqualTo(2);
        assertThat(err.toString()).contains("--spool-sync needs --spool");
    }

    @Test
    void reportsAHostThatIsUnknown() throws IOException {
        assertThat(feed(FINE, "--target", "http://missing.invalid:8080")).isEqualTo(69);
        assertThat(err.toString())
                .contains("name not found: there is no host 'missing.invalid'")
                .contains("Check the name in --target");
    }

    @Test
    void rejectsATimeThatIsNone() throws IOException {
        for (String time : new String[] {"soon", "-1", "1d", "1.5h", "", "9999999999"}) {
            assertThat(feed(FINE, "--timeout", time)).as(time).isEqualTo(2);
        }
    }

    private int feed(String operations, String... more) throws IOException {
        Path file = Files.writeString(directory.resolve("feed.jsonl"), operations, UTF_8);
        var command =
                new CommandLine(new FeedCommand())
                        .setOut(new PrintWriter(out))
                        .setErr(new PrintWriter(err))
                        .setExecutionExceptionHandler(new CommandErrors());
        List<String> arguments = new ArrayList<>(List.of(file.toString()));
        if (!List.of(more).contains("--target")) {
            arguments.add("--target");
            arguments.add("http://127.0.0.1:" + server.getAddress().getPort());
        }
        arguments.addAll(List.of(more));
        return command.execute(arguments.toArray(String[]::new));
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            if (busyAnswers.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                exchange.sendResponseHeaders(503, -1);
                return;
            }
            boolean isOne = !exchange.getRequestURI().getPath().equals("/document/v1/");
            if (isOne || !isBulk) {
                boolean isHandshake = exchange.getRequestURI().getPath().contains("handshake");
                exchange.sendResponseHeaders(isHandshake ? 200 : isOne ? oneStatus : 400, -1);
                return;
            }
            var answers = new StringBuilder();
            int number = 0;
            for (String line : body.lines().toList()) {
                number++;
                answers.append(
                        "{\"line\":%d,\"status\":%s}%n"
                                .formatted(number, line.replaceAll(".*\"s\":(\\d+).*", "$1")));
            }
            exchange.getResponseHeaders().add("Content-Type", "application/jsonl");
            byte[] bytes = (answers + "{\"totals\":{}}\n").getBytes(UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }
}
