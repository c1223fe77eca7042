package org.crabro.container.llm;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.crabro.component.ComponentContext;
import org.crabro.component.Config;
import org.crabro.component.LanguageModel;
import org.crabro.component.LanguageModelException;
import org.crabro.component.ModelRequest;
import org.crabro.component.QueryError;
import org.crabro.container.secret.Secrets;
import org.crabro.container.secret.UnreadableSecretException;
import org.crabro.container.service.ServiceHosts;
import org.crabro.container.service.ServiceRules;
import org.crabro.protocol.trace.Spans;

/**
 * A client of a service with the interface of OpenAI: {@code POST chat/completions}. Its address
 * and its model are in services.xml.
 *
 * <p>It follows no redirects, so that keys and texts reach no other address. It calls no service
 * whose host the operator does not allow: each call fails then, so that an application works in all
 * other respects.
 */
final class OpenAiModel implements LanguageModel {
    static final String CONFIG = "ai.vespa.llm.clients.llm-client";

    private static final String ENDPOINT = "https://api.openai.com/v1/";
    private static final String MODEL = "gpt-4o-mini";
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private static final int OK = 200;

    /** The length of the largest array. */
    private static final int ARRAY_MAX = Integer.MAX_VALUE - 8;

    /** Bytes of a failed answer that are read. */
    private static final int PROBLEM_BYTES = 64 * 1024;

    private final URI target;

    /** Why no call is sent; empty if the operator allows the host. */
    private final Optional<String> refusal;

    private final ChatRequest.Defaults defaults;
    private final Optional<String> secretName;
    private final Secrets secrets;
    private final int maxAnswerBytes;
    private final Consumer<ChatReply.Usage> tokens;
    private final HttpClient client;

    /**
     * @param tokens receives the tokens of each call whose service reports them
     * @throws IllegalArgumentException if the configuration is wrong
     */
    OpenAiModel(
            ComponentContext context,
            LanguageModelSettings settings,
            ServiceRules services,
            Consumer<ChatReply.Usage> tokens) {
        Config config = context.config(CONFIG);
        this.target = target(config);
        this.refusal = services.hosts().refusal(target);
        this.defaults = ChatRequest.Defaults.of(config, MODEL);
        this.secretName =
                Optional.of(config.text("apiKeySecretRef", config.text("apiKeySecretName", "")))
                        .filter(name -> !name.isBlank());
        this.secrets = services.secrets();
        this.maxAnswerBytes = settings.size().maxAnswerBytes();
        this.tokens = tokens;
        this.client =
                HttpClient.newBuilder()
                        .connectTimeout(CONNECT_TIMEOUT)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .executor(
                                Executors.newThreadPerTaskExecutor(
                                        Thread.ofVirtual().name("language-model-client").factory()))
                        .build();
    }

    /**
     * Returns why the operator does not allow the calls of a client; empty if they are allowed.
     *
     * @param config of the client
     * @throws IllegalArgumentException if its endpoint is wrong
     */
    static Optional<String> refusal(Config config, ServiceHosts hosts) {
        return hosts.refusal(target(config));
    }

    private static URI target(Config config) {
        String endpoint = config.text("endpoint", ENDPOINT);
        String base = endpoint.endsWith("/") ? endpoint : endpoint + "/";
        try {
            URI uri = new URI(base + "chat/completions");
            boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (isHttp && uri.getHost() != null && uri.getUserInfo() == null) {
                return uri;
            }
        } catch (java.net.URISyntaxException _) {
            // Reported below.
        }
        throw new IllegalArgumentException(
                "endpoint: expected http:// or https://, a host, and no user, but found '%s'"
                        .formatted(endpoint));
    }

    @Override
    public void generate(ModelRequest request, Consumer<String> parts) throws InterruptedException {
        generateToEnd(request, parts);
    }

    @Override
    public Optional<String> generateToEnd(ModelRequest request, Consumer<String> parts)
            throws InterruptedException {
        if (refusal.isPresent()) {
            throw new LanguageModelException(QueryError.Kind.UNAVAILABLE, refusal.get());
        }
        Optional<String> key = request.apiKey().or(this::secret);
        if (key.isEmpty() && secretName.isPresent()) {
            throw new LanguageModelException(
                    QueryError.Kind.UNAVAILABLE,
                    "there is no secret '%s'; the operator sets it, or the request has the header X-LLM-API-KEY"
                            .formatted(secretName.get()));
        }
        boolean isAnswering = false;
        try (var span = Spans.outgoing("POST " + target.getHost())) {
            HttpResponse<InputStream> response =
                    client.send(http(request, key), BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                if (response.statusCode() != OK) {
                    span.failed(Integer.toString(response.statusCode()));
                    throw ChatFailure.of(
                            response.statusCode(), body.readNBytes(PROBLEM_BYTES), key);
                }
                isAnswering = true;
                return read(response, body, parts, key);
            }
        } catch (HttpTimeoutException _) {
            throw new LanguageModelException(
                    QueryError.Kind.TIMED_OUT,
                    "the service at %s did not answer in time".formatted(target.getHost()));
        } catch (IOException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            throw new LanguageModelException(
                    QueryError.Kind.UNAVAILABLE,
                    (isAnswering
                                    ? "the service at %s cut its answer: %s"
                                    : "the service at %s cannot be reached: %s")
                            .formatted(target.getHost(), ChatFailure.without(reason(e), key)));
        }
    }

    private Optional<String> secret() {
        try {
            return secretName.flatMap(secrets::secret);
        } catch (UnreadableSecretException e) {
            throw new LanguageModelException(
                    QueryError.Kind.UNAVAILABLE, String.valueOf(e.getMessage()));
        }
    }

    /** Several exceptions of the platform's client have no message; their causes have one. */
    private static String reason(IOException e) {
        for (Throwable next = e; next != null; next = next.getCause()) {
            if (next.getMessage() != null) {
                return next.getMessage();
            }
        }
        return e.getClass().getSimpleName();
    }

    private HttpRequest http(ModelRequest request, Optional<String> key) {
        HttpRequest.Builder http =
                HttpRequest.newBuilder(target)
                        // Services without TLS seldom understand a change to HTTP/2.
                        .version(
                                target.getScheme().equals("http")
                                        ? HttpClient.Version.HTTP_1_1
                                        : HttpClient.Version.HTTP_2)
                        .timeout(request.timeout())
                        .header("Content-Type", "application/json")
                        .header(
                                "Accept",
                                request.isStreamed() ? "text/event-stream" : "application/json")
                        .POST(BodyPublishers.ofByteArray(ChatRequest.json(request, defaults)));
        Spans.writeHeaders(http::header);
        try {
            key.ifPresent(value -> http.header("Authorization", "Bearer " + value.strip()));
        } catch (IllegalArgumentException _) {
            // The message of the cause contains the value.
            throw new LanguageModelException(
                    QueryError.Kind.INVALID_QUERY, "the key is no valid value of a header");
        }
        return http.build();
    }

    /** Returns why the text ends. */
    private Optional<String> read(
            HttpResponse<InputStream> response,
            InputStream body,
            Consumer<String> parts,
            Optional<String> key)
            throws IOException {
        boolean isStream =
                response.headers()
                        .firstValue("Content-Type")
                        .filter(type -> type.startsWith("text/event-stream"))
                        .isPresent();
        var reply = new ChatReply(key);
        try {
            if (isStream) {
                readEvents(reply, body, parts);
            } else {
                byte[] whole = body.readNBytes((int) Math.min(ARRAY_MAX, maxAnswerBytes + 1L));
                if (whole.length > maxAnswerBytes) {
                    throw SseReader.tooLong(maxAnswerBytes);
                }
                parts.accept(reply.whole(whole));
            }
            return reply.reason();
        } finally {
            reply.usage().ifPresent(tokens);
        }
    }

    private void readEvents(ChatReply reply, InputStream body, Consumer<String> parts)
            throws IOException {
        var events = new SseReader(body, maxAnswerBytes);
        for (String data = events.next(); data != null; data = events.next()) {
            if (reply.isEnd(data)) {
                return;
            }
            parts.accept(reply.part(data));
        }
        if (reply.reason().isEmpty()) {
            throw ChatReply.endedEarly();
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
