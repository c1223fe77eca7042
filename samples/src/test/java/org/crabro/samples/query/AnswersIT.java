package org.crabro.samples.query;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;

import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.crabro.samples.fixture.ChatService;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.ServedPackage;
import org.crabro.samples.fixture.TestSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A server whose chains ask a language model in another process's place. */
class AnswersIT {
    private static final String CHAINS =
            """
            <search>
              <chain id="default" inherits="vespa">
                <searcher id="ai.vespa.search.llm.RAGSearcher"/>
              </chain>
              <chain id="plain">
                <searcher id="ai.vespa.search.llm.LLMSearcher" bundle="model-integration"/>
              </chain>
            </search>
            """;

    private static final String SLOW =
            "/search/?searchChain=plain&prompt=a%20b&format=sse&timeout=600s&llm.model=slow";

    private static final Logger ROOT = Logger.getLogger("");
    private static final Logger ACCESS = Logger.getLogger("access");

    @TempDir Path data;

    private ChatService service;
    private ServedPackage served;

    @BeforeEach
    void start() throws Exception {
        service = new ChatService();
        served = new ServedPackage(ChatService.settings(data), files());
        served.deploy(services());
    }

    @AfterEach
    void stop() {
        served.close();
        service.close();
    }

    private String services() {
        return NotesApplication.SERVICES.replace("<search/>", CHAINS + service.component());
    }

    private Map<String, String> files() {
        return Map.of("services.xml", services(), "schemas/note.sd", NotesApplication.SCHEMA);
    }

    @Test
    void answersFromTheDocumentsOfAGroup() throws Exception {
        served.note("group/ann/1", "\"text\":\"a blue boat\"");
        served.note("group/bob/1", "\"text\":\"a red boat\"");

        ServedPackage.Answer answer =
                served.get(
                        "/search/?query=boat&streaming.groupname=ann&timeout=60s",
                        "X-LLM-API-KEY",
                        ChatService.KEY);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.json().path("root").at("/children/0/children/0/fields/token").asString())
                .isEqualTo("Document");
        assertThat(service.requests().getFirst().at("/messages/0/content").asString())
                .contains("text: a blue boat")
                .doesNotContain("red");
    }

    @Test
    void noErrorContainsTheKey() throws Exception {
        ServedPackage.Answer answer =
                served.get(
                        "/search/?searchChain=plain&prompt=a&format=sse&timeout=60s",
                        "X-LLM-API-KEY",
                        "sk-wrong");

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body())
                .contains("event: error", "the service rejects the key (status 401)")
                .doesNotContain("sk-wrong");
    }

    /** The service notices the end of a call when it writes. */
    @ParameterizedTest
    @EnumSource
    void aClientThatDisconnectsStopsTheService(HttpClient.Version version) throws Exception {
        if (version == HttpClient.Version.HTTP_1_1) {
            try (Socket client =
                    served.open(
                            "GET %s HTTP/1.1\r\nHost: localhost\r\nX-LLM-API-KEY: %s\r\n\r\n"
                                    .formatted(SLOW, ChatService.KEY))) {
                readToken(client.getInputStream());
            }
        } else {
            try (var client = HttpClient.newBuilder().version(version).build()) {
                HttpResponse<InputStream> response =
                        client.send(
                                HttpRequest.newBuilder(served.container(SLOW))
                                        .header("X-LLM-API-KEY", ChatService.KEY)
                                        .timeout(Duration.ofMinutes(1))
                                        .build(),
                                HttpResponse.BodyHandlers.ofInputStream());
                assertThat(response.version()).isEqualTo(version);
                readToken(response.body());
                response.body().close();
            }
        }

        // Long before the timeout of the request.
        assertThat(service.isStoppedWithin(Duration.ofMinutes(1))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"HTTP_1_1, sse", "HTTP_1_1, json", "HTTP_2, sse", "HTTP_2, json"})
    void aClientThatDisconnectsIsNoErrorInTheLog(HttpClient.Version version, String format)
            throws Exception {
        var records = new RecordedLog();
        Level before = ACCESS.getLevel();
        ROOT.addHandler(records);
        ACCESS.setLevel(Level.INFO);
        try {
            disconnect(version, SLOW.replace("format=sse", "format=" + format));

            assertThat(service.isStoppedWithin(Duration.ofMinutes(1))).isTrue();
            // The line of a request is written after everything else.
            await().atMost(ONE_MINUTE)
                    .pollInterval(ONE_MILLISECOND)
                    .untilAsserted(() ->
                            assertThat(records.all)
                                    .anyMatch(record ->
                                            "access".equals(record.getLoggerName())
                                                    && record.getMessage().contains(" /search/ ")));
            assertThat(records.all)
                    .filteredOn(record -> record.getLevel().intValue() >= Level.SEVERE.intValue())
                    .extracting(LogRecord::getMessage)
                    .isEmpty();
        } finally {
            ACCESS.setLevel(before);
            ROOT.removeHandler(records);
        }
    }

    /** Sends a request, and disconnects when the service has it. */
    private void disconnect(HttpClient.Version version, String target) throws Exception {
        if (version == HttpClient.Version.HTTP_1_1) {
            try (Socket _ =
                    served.open(
                            "GET %s HTTP/1.1\r\nHost: localhost\r\nX-LLM-API-KEY: %s\r\n\r\n"
                                    .formatted(target, ChatService.KEY))) {
                awaitRequest();
            }
            return;
        }
        try (var client = HttpClient.newBuilder().version(version).build()) {
            var _ =
                    client.sendAsync(
                            HttpRequest.newBuilder(served.container(target))
                                    .header("X-LLM-API-KEY", ChatService.KEY)
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            awaitRequest();
            client.shutdownNow();
        }
    }

    private void awaitRequest() {
        await().atMost(ONE_MINUTE)
                .pollInterval(ONE_MILLISECOND)
                .untilAsserted(() -> assertThat(service.requests()).isNotEmpty());
    }

    /** Keeps all records of the log. */
    private static final class RecordedLog extends Handler {
        private final List<LogRecord> all = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord line) {
            all.add(line);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Test
    void anAnswerThatIsCutEndsWithAnError() throws Exception {
        String target = "/search/?searchChain=plain&prompt=a%20b&timeout=60s&llm.model=cut";

        ServedPackage.Answer events =
                served.get(target + "&format=sse", "X-LLM-API-KEY", ChatService.KEY);
        ServedPackage.Answer whole = served.get(target, "X-LLM-API-KEY", ChatService.KEY);

        assertThat(events.body())
                .containsSubsequence(
                        "event: token\n",
                        "event: error\n",
                        "the service at 127.0.0.1 cut its answer")
                .doesNotContain("finish_reason");
        assertThat(whole.json().path("root").at("/errors/0/message").asString())
                .startsWith("the service at 127.0.0.1 cut its answer");
    }

    private static void readToken(InputStream in) throws Exception {
        var received = new StringBuilder();
        while (!received.toString().contains("{\"token\":\"No\"}")) {
            int next = in.read();
            assertThat(next).as(received.toString()).isNotNegative();
            received.append((char) next);
        }
    }

    @Test
    void metricsShowTheCallsOfAModel() throws Exception {
        served.get(
                "/search/?searchChain=plain&prompt=a&timeout=60s",
                "X-LLM-API-KEY",
                ChatService.KEY);

        ServedPackage.Answer metrics = served.get("/metrics/v2/values?consumer=vespa");

        assertThat(metrics.body())
                .contains(
                        "\"model\":\"writer\"",
                        "language_model.in_flight.last",
                        "language_model.requests.count",
                        "language_model.latency.95percentile");
    }

    @Test
    void onlyCallsOfAServiceThatIsNotAllowedFail(@TempDir Path other) throws Exception {
        try (var strict = new ServedPackage(TestSettings.onAnyPorts(other), files())) {
            ServedPackage.Answer deployed = strict.deployment();

            assertThat(deployed.status()).as(deployed.toString()).isEqualTo(200);
            assertThat(
                            deployed.json()
                                    .get("log")
                                    .valueStream()
                                    .map(line -> line.get("message").asString()))
                    .anyMatch(message ->
                            message.startsWith(
                                    "container 'default', component 'writer': this server does not call 127.0.0.1:"));

            strict.note("group/ann/1", "\"text\":\"a blue boat\"");
            ServedPackage.Answer answer =
                    strict.get(
                            "/search/?query=boat&streaming.groupname=ann&searchChain=vespa&timeout=60s");
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            assertThat(answer.json().path("root").at("/fields/totalCount").asInt()).isEqualTo(1);

            ServedPackage.Answer refused =
                    strict.get(
                            "/search/?query=boat&streaming.groupname=ann&timeout=60s",
                            "X-LLM-API-KEY",
                            ChatService.KEY);
            assertThat(refused.status()).as(refused.toString()).isEqualTo(503);
            assertThat(refused.body())
                    .contains("this server does not call 127.0.0.1:", "services.hosts");
        }
        assertThat(service.requests()).isEmpty();
    }

    @Test
    void templatesOfThePackageAreChecked() throws Exception {
        String services =
                services()
                        .replace(
                                "<searcher id=\"ai.vespa.search.llm.RAGSearcher\"/>",
                                """
                                <searcher id="ai.vespa.search.llm.RAGSearcher">
                                  <config name="ai.vespa.search.llm.llm-searcher">
                                    <promptTemplate>files/nope.txt</promptTemplate>
                                  </config>
                                </searcher>
                                """);
        served.add("services.xml", services.getBytes(UTF_8));

        ServedPackage.Answer answer = served.deployment();

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body())
                .contains("promptTemplate: the package has no file 'files/nope.txt'");
    }
}
