package org.crabro.container.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.crabro.config.application.RemoteFileException;
import org.crabro.container.service.ServiceHosts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fetches files from a server of the test. */
class UriFilesTest {
    private static final FetchSettings SMALL = new FetchSettings(100, Duration.ofSeconds(60), 250);

    @TempDir Path data;

    private final AtomicInteger requests = new AtomicInteger();
    private final CountDownLatch isOver = new CountDownLatch(1);
    private HttpServer server;
    private long second;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(task -> Thread.ofVirtual().start(task));
        server.start();
    }

    @AfterEach
    void stop() {
        isOver.countDown();
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        String path = exchange.getRequestURI().getPath();
        byte[] body = path.getBytes(StandardCharsets.UTF_8);
        switch (path) {
            case "/missing" -> exchange.sendResponseHeaders(404, -1);
            case "/moved" -> redirect(exchange, "/to");
            case "/moved/away" -> redirect(exchange, "https://elsewhere.test/model");
            case "/moved/file" -> redirect(exchange, "file:///etc/passwd");
            case "/moved/nowhere" -> redirect(exchange, "http://[");
            case "/moved/round" -> redirect(exchange, "/moved/round");
            case "/large" -> {
                exchange.sendResponseHeaders(200, 101);
                exchange.getResponseBody().write(new byte[101]);
            }
            case "/stuck" -> {
                exchange.sendResponseHeaders(200, 10);
                exchange.getResponseBody().write(1);
                exchange.getResponseBody().flush();
                await();
            }
            default -> {
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        }
        exchange.close();
    }

    private static void redirect(HttpExchange exchange, String location) throws IOException {
        exchange.getResponseHeaders().add("Location", location);
        exchange.sendResponseHeaders(302, -1);
    }

    private void await() {
        try {
            isOver.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private UriFiles files(FetchSettings settings) {
        return files(settings, ServiceHosts.of("127.0.0.1"));
    }

    private UriFiles files(FetchSettings settings, ServiceHosts hosts) {
        return new UriFiles(
                data.resolve("fetched"), settings, hosts, () -> Instant.ofEpochSecond(second++));
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    @Test
    void fetchesAFileOnceAlsoForTheNextProcess() throws Exception {
        Path first = files(SMALL).fetch(uri("/model"));
        Path again = files(SMALL).fetch(uri("/model"));
        Path other = files(SMALL).fetch(uri("/model?v=2"));

        assertThat(first).hasContent("/model").isEqualTo(again);
        assertThat(other).hasContent("/model").isNotEqualTo(first);
        assertThat(requests).hasValue(2);
    }

    @Test
    void findsModelsInTheirDirectoryAndOnTheClassPath() throws Exception {
        Path models = Files.createDirectory(data.resolve("models"));
        Files.writeString(models.resolve("own.onnx"), "own");
        UriFiles files = files(FetchSettings.DEFAULT);

        assertThat(files.fetch(URI.create("model:own.onnx"))).hasContent("own");
        Path copied = files.fetch(URI.create("model:stand-in-tokenizer.json"));
        assertThat(copied).content().contains("version");
        assertThat(files.fetch(URI.create("model:stand-in-tokenizer.json"))).isEqualTo(copied);
        Files.writeString(models.resolve("stand-in-tokenizer.json"), "first");
        assertThat(files.fetch(URI.create("model:stand-in-tokenizer.json"))).hasContent("first");
    }

    @ParameterizedTest
    @ValueSource(strings = {"model:none.onnx", "model:../fetched/a.onnx", "model:/etc/passwd"})
    void findsNoOtherFiles(URI uri) {
        assertThatExceptionOfType(RemoteFileException.class)
                .isThrownBy(() -> files(FetchSettings.DEFAULT).fetch(uri))
                .withMessageMatching(
                        uri.toString().equals("model:none.onnx")
                                ? "this server has no file none.onnx; its operator puts it into the directory .*models, or adds a jar with it to the class path"
                                : "expected the name of a model's file");
    }

    @Test
    void fetchesADamagedFileAgain() throws Exception {
        Path file = files(SMALL).fetch(uri("/model"));
        Files.writeString(file, "damaged");

        assertThat(files(SMALL).fetch(uri("/model"))).hasContent("/model").isEqualTo(file);
        assertThat(requests).hasValue(2);
    }

    @Test
    void deletesTheLeastRecentlyUsedFilesAboveTheLimit() throws Exception {
        var files = files(SMALL);
        Path a = files.fetch(uri("/a".repeat(40)));
        Path b = files.fetch(uri("/b".repeat(40)));
        Path c = files.fetch(uri("/c".repeat(40)));
        files.fetch(uri("/a".repeat(40)));
        Path d = files.fetch(uri("/d".repeat(40)));

        assertThat(List.of(a, c, d)).allMatch(Files::exists);
        assertThat(b).doesNotExist();
    }

    @Test
    void fetchesNothingUnlessTheOperatorAllowsIt() {
        assertThatExceptionOfType(RemoteFileException.class)
                .isThrownBy(() -> files(SMALL, ServiceHosts.NONE).fetch(uri("/model")))
                .withMessage(
                        "this server does not call %1$s; its operator allows it with --services %1$s, or the setting services.hosts"
                                .formatted(uri("/model").getAuthority()));
        assertThat(requests).hasValue(0);
    }

    @Test
    void followsRedirectsToAllowedHostsOnly() throws Exception {
        assertThat(files(SMALL).fetch(uri("/moved"))).hasContent("/to");
        assertThat(problem(SMALL, "/moved/away"))
                .isEqualTo(
                        "it is redirected: this server does not call elsewhere.test; its operator allows it with --services elsewhere.test, or the setting services.hosts");
        assertThat(problem(SMALL, "/moved/file"))
                .isEqualTo("it is redirected: expected http:// or https://, a host, and no user");
        assertThat(problem(SMALL, "/moved/nowhere")).startsWith("it is redirected to no URI: ");
        assertThat(problem(SMALL, "/moved/round")).isEqualTo("it has more than 5 redirects");
    }

    @Test
    void rejectsWhatIsMissingTooLargeOrTooSlowAndKeepsNothing() throws Exception {
        var hasty = new FetchSettings(100, Duration.ofMillis(300), 250);

        assertThat(problem(SMALL, "/missing")).isEqualTo("the answer has status 404");
        assertThat(problem(SMALL, "/large"))
                .isEqualTo("it is larger than 100 bytes (config.fetch.fileBytes)");
        assertThat(problem(hasty, "/stuck"))
                .isEqualTo("it did not arrive within PT0.3S (config.fetch.timeout)");
        server.stop(0);
        assertThat(problem(SMALL, "/model")).startsWith("it could not be fetched: ");
        try (Stream<Path> files = Files.list(data.resolve("fetched"))) {
            assertThat(files).isEmpty();
        }
    }

    private String problem(FetchSettings settings, String path) {
        try {
            return files(settings).fetch(uri(path)).toString();
        } catch (RemoteFileException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:///etc/passwd",
                "ftp://example.com/a",
                "http:///a",
                "a/b",
                "http://me@127.0.0.1/a"
            })
    void fetchesOverHttpOnly(String uri) {
        assertThatExceptionOfType(RemoteFileException.class)
                .isThrownBy(() -> files(SMALL).fetch(URI.create(uri)))
                .withMessage("expected http:// or https://, a host, and no user");
    }
}
