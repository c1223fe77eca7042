package org.crabro.container.llm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.crabro.component.LanguageModelException;
import org.crabro.component.ModelRequest;
import org.crabro.component.QueryError;
import org.crabro.container.secret.Secrets;
import org.crabro.container.service.ServiceHosts;
import org.crabro.container.service.ServiceRules;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Talks to a service that answers as each test says. */
class OpenAiModelTest {
    private static final String KEY = "sk-very-secret";

    /** The tokens that services have reported. */
    private final List<ChatReply.Usage> tokens = new ArrayList<>();

    private HttpServer service;
    private volatile Answer answer = new Answer(200, "application/json", "{}");
    private volatile String asked = "";
    private volatile String authorization = "";

    /** Closed when the service cannot write any more. */
    private final CountDownLatch stopped = new CountDownLatch(1);

    /** Not a status: the connection ends in the answer. */
    private static final int CUT = 0;

    private record Answer(int status, String type, String body) {}

    @BeforeEach
    void start() throws IOException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        service.createContext("/v1/chat/completions", this::answer);
        service.start();
    }

    @AfterEach
    void stop() {
        service.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        asked = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        authorization =
                Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                        .orElse("");
        exchange.getResponseHeaders().set("Content-Type", answer.type);
        exchange.getResponseHeaders().set("Location", "/elsewhere");
        if (answer.status == CUT) {
            byte[] part = answer.body.getBytes(UTF_8);
            // The length announces more than is sent.
            exchange.sendResponseHeaders(200, part.length + 1L);
            exchange.getResponseBody().write(part);
            exchange.getResponseBody().flush();
            exchange.close();
            return;
        }
        exchange.sendResponseHeaders(answer.status, 0);
        try (var out = exchange.getResponseBody()) {
            out.write(answer.body.getBytes(UTF_8));
            out.flush();
            while (answer.body.endsWith("...")) {
                out.write(":\n".getBytes(UTF_8));
                out.flush();
                Thread.onSpinWait();
            }
        } catch (IOException _) {
            stopped.countDown();
        }
    }

    @Test
    void sendsConfigurationAndParameters() throws Exception {
        answer = new Answer(200, "application/json", completion("fine"));
        try (var model = model(Map.of("model", "m1", "maxTokens", "7", "temperature", "0.5"))) {
            assertThat(
                            texts(
                                    model,
                                    Map.of(
                                            "temperature", "1",
                                            "topP", "0.25",
                                            "seed", "42",
                                            "npredict", "2",
                                            "frequencypenalty", "0.5",
                                            "presencepenalty", "-1",
                                            "json_schema", "{\"type\": \"object\"}"),
                                    Optional.of(KEY),
                                    false))
                    .containsExactly("fine");
        }

        assertThat(asked)
                .isEqualTo(
                        "{\"model\":\"m1\",\"messages\":[{\"role\":\"user\",\"content\":\"why?\"}],"
                                + "\"stream\":false,\"max_completion_tokens\":7,\"temperature\":1.0,"
                                + "\"top_p\":0.25,\"seed\":42,\"n\":2,\"frequency_penalty\":0.5,"
                                + "\"presence_penalty\":-1.0,\"response_format\":{\"type\":\"json_schema\","
                                + "\"json_schema\":{\"name\":\"schema\",\"strict\":true,"
                                + "\"schema\":{\"type\":\"object\"}}}}");
        assertThat(authorization).isEqualTo("Bearer " + KEY);
    }

    @Test
    void returnsEachPartOfAStream() throws Exception {
        answer =
                new Answer(
                        200,
                        "text/event-stream; charset=utf-8",
                        chunk("0", "\"The\"", "null")
                                + ": alive\n\n"
                                + chunk("1", "\"other choice\"", "null")
                                + chunk("0", "\" end\"", "null")
                                + chunk("0", "null", "\"stop\"")
                                + "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5}}\n\n"
                                + "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":2}}\n\n"
                                + "data: [DONE]\n\n");

        try (var model = model(Map.of())) {
            assertThat(texts(model, Map.of(), Optional.empty(), true))
                    .containsExactly("The", " end");
        }

        assertThat(tokens).containsExactly(new ChatReply.Usage(5, 2));
        assertThat(asked).contains("\"model\":\"gpt-4o-mini\"", "\"stream\":true");
        assertThat(authorization).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"stop", "length", "content_filter"})
    void returnsWhyTheTextEnds(String reason) throws Exception {
        ModelRequest request = request(Map.of(), Optional.empty(), true);
        try (var model = model(Map.of())) {
            answer =
                    new Answer(
                            200,
                            "text/event-stream",
                            chunk("0", "\"The\"", "null")
                                    + chunk("1", "\"other\"", "\"other\"")
                                    + chunk("0", "null", '"' + reason + '"')
                                    + "data: [DONE]\n\n");
            assertThat(model.generateToEnd(request, _ -> {})).contains(reason);

            answer =
                    new Answer(
                            200,
                            "application/json",
                            "{\"choices\":[{\"index\":0,\"finish_reason\":\"%s\",\"message\":{\"content\":\"The\"}}]}"
                                    .formatted(reason));
            assertThat(model.generateToEnd(request, _ -> {})).contains(reason);

            answer =
                    new Answer(
                            200,
                            "text/event-stream",
                            chunk("0", "\"The\"", "null") + "data: [DONE]\n\n");
            assertThat(model.generateToEnd(request, _ -> {})).isEmpty();
        }
    }

    /** The service ends its answer without an error of HTTP. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    text/event-stream | data: {"choices":[{"index":0,"delta":{"content":"Th
                    text/event-stream | data: {"choices":[{"index":0,"delta":{"content":"The"}
                    application/json  | {"choices":[{"index":0,"message":{"content":"Th
                    """)
    void anAnswerThatIsCutIsNoOtherForm(String type, String body) throws Exception {
        answer = new Answer(200, type, body);

        assertThat(failure(Optional.empty())).hasMessage("the service ended its answer early");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/event-stream", "application/json"})
    void aConnectionThatEndsInAnAnswerHasCutIt(String type) throws Exception {
        answer = new Answer(CUT, type, chunk("0", "\"The\"", "null"));

        assertThat(failure(Optional.empty()).error().kind()).isEqualTo(QueryError.Kind.UNAVAILABLE);
        assertThat(failure(Optional.empty())).hasMessageContaining("127.0.0.1 cut its answer: ");
    }

    @Test
    void anAnswerThatEndsEarlyIsAnError() throws Exception {
        answer = new Answer(200, "text/event-stream", chunk("0", "\"The\"", "null"));

        assertThat(failure(Optional.empty()).getMessage())
                .isEqualTo("the service ended its answer early");

        answer =
                new Answer(
                        200,
                        "text/event-stream",
                        "data: {\"error\":{\"message\":\"it broke for " + KEY + "\"}}\n\n");
        assertThat(failure(Optional.of(KEY)).getMessage())
                .isEqualTo("the service reports: it broke for ***");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    400 | INVALID_QUERY | the service returned status 400: no such *** model
                    401 | UNAVAILABLE   | the service rejects the key (status 401)
                    403 | UNAVAILABLE   | the service rejects the key (status 403)
                    404 | UNAVAILABLE   | the service returned status 404: no such *** model
                    422 | INVALID_QUERY | the service returned status 422: no such *** model
                    429 | OVERLOADED    | the service returned status 429: no such *** model
                    500 | UNAVAILABLE   | the service returned status 500: no such *** model
                    302 | UNAVAILABLE   | the service returned status 302: no such *** model
                    """)
    void reportsFailuresWithoutTheKey(int status, QueryError.Kind kind, String message)
            throws Exception {
        answer =
                new Answer(
                        status,
                        "application/json",
                        "{\"error\":{\"message\":\"no such " + KEY + " model\"}}");

        LanguageModelException failure = failure(Optional.of(KEY));

        assertThat(failure.error()).isEqualTo(new QueryError(kind, message));
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void followsNoRedirect(int status) throws Exception {
        var followed = new AtomicBoolean();
        service.createContext(
                "/elsewhere",
                exchange -> {
                    followed.set(true);
                    exchange.close();
                });
        answer = new Answer(status, "text/plain", "");

        assertThat(failure(Optional.of(KEY))).hasMessage("the service returned status " + status);

        assertThat(followed).isFalse();
    }

    @Test
    void rejectsAnswersInAnotherForm() throws Exception {
        for (String body : List.of("<html>", "{}", "[1]", "")) {
            answer = new Answer(200, "application/json", body);
            assertThat(failure(Optional.empty()).getMessage())
                    .contains("not in the form of OpenAI's chat completions");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    temperature | warm | temperature of the language model: expected a number, but found 'warm'
                    temperature | NaN  | temperature of the language model: expected a number, but found 'NaN'
                    maxTokens   | 1.5  | maxTokens of the language model: expected a whole number, but found '1.5'
                    json_schema | [1]  | json_schema of the language model: expected a JSON schema: it is no object
                    """)
    void rejectsWrongParameters(String name, String value, String message) throws Exception {
        try (var model = model(Map.of())) {
            assertThatThrownBy(() -> texts(model, Map.of(name, value), Optional.empty(), true))
                    .isInstanceOf(LanguageModelException.class)
                    .hasMessage(message);
        }
    }

    @Test
    void aServiceThatCannotBeReachedIsUnavailable() throws Exception {
        try (var model = model(Map.of())) {
            service.stop(0);

            assertThatThrownBy(() -> texts(model, Map.of(), Optional.of(KEY), true))
                    .isInstanceOfSatisfying(
                            LanguageModelException.class,
                            e -> {
                                assertThat(e.error().kind()).isEqualTo(QueryError.Kind.UNAVAILABLE);
                                assertThat(e)
                                        .hasMessageContaining("cannot be reached")
                                        .hasMessageNotContaining(KEY);
                            });
        }
    }

    @Test
    void anInterruptStopsTheServiceWithinASecond() throws Exception {
        answer =
                new Answer(
                        200, "text/event-stream", chunk("0", "\"The\"", "null") + ": and so on...");
        var begun = new CountDownLatch(1);
        try (var model = model(Map.of())) {
            Thread caller =
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    model.generate(
                                            request(Map.of(), Optional.empty(), true),
                                            _ -> begun.countDown());
                                } catch (InterruptedException _) {
                                    Thread.currentThread().interrupt();
                                }
                            });
            assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();

            caller.interrupt();

            assertThat(stopped.await(1, TimeUnit.MINUTES)).isTrue();
            assertThat(caller.join(Duration.ofMinutes(1))).isTrue();
        }
    }

    @Test
    void readsTheKeyOfASecret() throws Exception {
        answer = new Answer(200, "application/json", completion("fine"));
        try (var model = model(Map.of("apiKeySecretRef", "openai"))) {
            texts(model, Map.of(), Optional.empty(), true);
            assertThat(authorization).isEqualTo("Bearer the-secret");
            texts(model, Map.of(), Optional.of("other"), true);
            assertThat(authorization).isEqualTo("Bearer other");
        }
        try (var model = model(Map.of("apiKeySecretRef", "nope"))) {
            assertThatThrownBy(() -> texts(model, Map.of(), Optional.empty(), true))
                    .hasMessageContaining("there is no secret 'nope'");
        }
    }

    @Test
    void aSecretThatCannotBeReadIsReported() throws Exception {
        try (var model = model(Map.of("apiKeySecretRef", "two-lines"))) {
            assertThatThrownBy(() -> texts(model, Map.of(), Optional.empty(), true))
                    .isInstanceOfSatisfying(
                            LanguageModelException.class,
                            e ->
                                    assertThat(e.error().kind())
                                            .isEqualTo(QueryError.Kind.UNAVAILABLE))
                    .hasMessage(
                            "secret 'two-lines' has a control character; expected one line of text");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "https://api.openai.com/v1/, api.openai.com",
        "http://127.0.0.1:1/v1, 127.0.0.1:1",
        "http://169.254.169.254/latest, 169.254.169.254",
        "http://[::1]:19071/, [::1]:19071"
    })
    void eachCallToAHostThatTheOperatorDoesNotAllowFails(String endpoint, String host)
            throws Exception {
        try (var model = model(Map.of("endpoint", endpoint), "localhost")) {
            for (boolean isStreamed : List.of(true, false)) {
                assertThatThrownBy(() -> texts(model, Map.of(), Optional.of(KEY), isStreamed))
                        .isInstanceOfSatisfying(
                                LanguageModelException.class,
                                e ->
                                        assertThat(e.error().kind())
                                                .isEqualTo(QueryError.Kind.UNAVAILABLE))
                        .hasMessage(
                                "this server does not call %1$s; its operator allows it with --services %1$s, or the setting services.hosts"
                                        .formatted(host));
            }
        }
    }

    @Test
    void sendsNothingToAHostThatTheOperatorDoesNotAllow() throws Exception {
        answer = new Answer(200, "application/json", completion("fine"));
        String endpoint = "http://127.0.0.1:%d/v1".formatted(service.getAddress().getPort());
        try (var model = model(Map.of("endpoint", endpoint), "localhost")) {
            assertThatThrownBy(() -> texts(model, Map.of(), Optional.empty(), true))
                    .isInstanceOf(LanguageModelException.class);
        }

        assertThat(asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:///etc/passwd", "http://me@127.0.0.1/", "no address"})
    void rejectsAnEndpointThatIsNoService(String endpoint) {
        assertThatThrownBy(() -> model(Map.of("endpoint", endpoint), "*"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "endpoint: expected http:// or https://, a host, and no user, but found '%s'"
                                .formatted(endpoint));
    }

    private static String completion(String text) {
        return "{\"choices\":[{\"index\":0,\"message\":{\"content\":\"" + text + "\"}}]}";
    }

    private static String chunk(String index, String content, String reason) {
        return "data: {\"choices\":[{\"index\":%s,\"delta\":{\"content\":%s},\"finish_reason\":%s}]}\n\n"
                .formatted(index, content, reason);
    }

    private LanguageModelException failure(Optional<String> key) throws Exception {
        try (var model = model(Map.of())) {
            return catchThrowableOfType(
                    LanguageModelException.class, () -> texts(model, Map.of(), key, true));
        }
    }

    private OpenAiModel model(Map<String, String> config) {
        var all = new HashMap<>(config);
        all.put("endpoint", "http://127.0.0.1:%d/v1".formatted(service.getAddress().getPort()));
        return model(all, "127.0.0.1");
    }

    private OpenAiModel model(Map<String, String> config, String allowed) {
        return new OpenAiModel(
                new GivenContext(Map.of(OpenAiModel.CONFIG, config), Map.of(), Path.of("")),
                LanguageModelSettings.DEFAULT,
                new ServiceRules(
                        Secrets.of(
                                Map.of(
                                        "VESPA_SECRET_OPENAI",
                                        "the-secret",
                                        "VESPA_SECRET_TWO_LINES",
                                        "a\nb"),
                                Optional.empty()),
                        ServiceHosts.of(allowed)),
                tokens::add);
    }

    private static ModelRequest request(
            Map<String, String> options, Optional<String> key, boolean isStreamed) {
        return new ModelRequest("why?", options, key, Duration.ofMinutes(1), isStreamed);
    }

    private static List<String> texts(
            OpenAiModel model,
            Map<String, String> options,
            Optional<String> key,
            boolean isStreamed)
            throws InterruptedException {
        var texts = new ArrayList<String>();
        model.generate(
                request(options, key, isStreamed),
                text -> {
                    if (!text.isEmpty()) {
                        texts.add(text);
                    }
                });
        return texts;
    }
}
