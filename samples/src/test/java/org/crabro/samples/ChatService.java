package org.crabro.samples;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.crabro.container.llm.LanguageModelSettings;
import org.crabro.container.query.SearchSettings;
import org.crabro.container.service.ServiceHosts;
import org.crabro.container.service.ServiceRules;
import org.crabro.server.ServerSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A service with the interface of OpenAI that runs no model. It answers with a sentence of the
 * documents in the prompt, word by word: the first of those that have most long words in common
 * with the last line of the prompt. The same prompt always has the same answer.
 *
 * <p>The model {@code slow} sends one word and then comments until the client closes the
 * connection. Every other key than {@value #KEY} is rejected.
 */
public final class ChatService implements AutoCloseable {
    static final String KEY = "stand-in-key";

    /** Letters of a long word: shorter ones, such as "the", are in all sentences. */
    private static final int LONG = 4;

    private static final Pattern DOCUMENT = Pattern.compile("document \\[(\\d+)]:");
    private static final Pattern FIELD = Pattern.compile("^\\w+: ");

    /** The end of a sentence, or of a text in an array. */
    private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?])\\s+|\\[\"|\",\"|\"]");

    private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}\\p{N}]+");

    private final HttpServer server;
    private final List<JsonNode> requests = new CopyOnWriteArrayList<>();
    private final CountDownLatch stopped = new CountDownLatch(1);

    /** Starts at a free port of the loopback address. */
    ChatService() throws IOException {
        this(0);
    }

    private ChatService(int port) throws IOException {
        server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/v1/chat/completions", this::complete);
        server.start();
    }

    /**
     * Runs until the process ends, for other clients.
     *
     * @param arguments the port
     */
    public static void main(String... arguments) throws IOException {
        System.out.println(new ChatService(Integer.parseInt(arguments[0])).endpoint());
    }

    /** Returns the address for the configuration of a client. */
    String endpoint() {
        return "http://127.0.0.1:%d/v1/".formatted(server.getAddress().getPort());
    }

    /** Returns a component {@code writer} for a package: the client of this service. */
    String component() {
        return """
        <component id="writer" class="ai.vespa.llm.clients.OpenAI">
          <config name="ai.vespa.llm.clients.llm-client">
            <endpoint>%s</endpoint>
            <model>echo</model>
            <apiKeySecretRef>writer-key</apiKeySecretRef>
          </config>
        </component>
        """
                .formatted(endpoint());
    }

    /** Returns settings that allow this service. */
    static ServerSettings settings(Path data) {
        return settings(data, LanguageModelSettings.DEFAULT);
    }

    /** Returns settings that allow this service, with other limits. */
    static ServerSettings settings(Path data, LanguageModelSettings limits) {
        return TestSettings.onAnyPorts(data)
                .with(SearchSettings.DEFAULT.with(limits))
                .withServices(ServiceRules.NONE.withHosts(ServiceHosts.of("127.0.0.1")));
    }

    /** Returns the bodies of all requests. */
    List<JsonNode> requests() {
        return requests;
    }

    /** Waits until the client of the slow model has closed the connection. */
    boolean isStoppedWithin(Duration time) throws InterruptedException {
        return stopped.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void complete(HttpExchange exchange) throws IOException {
        JsonNode request = Http.JSON.readTree(exchange.getRequestBody().readAllBytes());
        requests.add(request);
        String key =
                Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                        .orElse("");
        if (!key.equals("Bearer " + KEY)) {
            send(exchange, 401, error("Incorrect API key provided: " + key));
            return;
        }
        List<String> words = words(request.at("/messages/0/content").asString(""));
        if (!request.path("stream").asBoolean(false)) {
            send(exchange, 200, whole(request, String.join("", words)));
            return;
        }
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            if (request.path("model").asString("").equals("slow")) {
                write(out, chunk(request, words.getFirst(), false));
                untilClosed(out);
            }
            for (String word : words) {
                write(out, chunk(request, word, false));
            }
            write(out, chunk(request, "", true));
            out.write("data: [DONE]\n\n".getBytes(UTF_8));
        } catch (IOException _) {
            stopped.countDown();
        }
    }

    private static void untilClosed(OutputStream out) throws IOException {
        while (true) {
            out.write(": still here\n\n".getBytes(UTF_8));
            out.flush();
            Thread.onSpinWait();
        }
    }

    private static List<String> words(String prompt) {
        var words = new ArrayList<String>();
        for (String word : answer(prompt).split(" ", -1)) {
            words.add(words.isEmpty() ? word : " " + word);
        }
        return words;
    }

    private static String answer(String prompt) {
        String question = prompt.lines().reduce("", (_, line) -> line);
        Set<String> asked = longWords(question);
        String answer = "No document answers: " + question;
        long most = 0;
        String document = "";
        for (String line : prompt.lines().toList()) {
            Matcher start = DOCUMENT.matcher(line);
            if (start.matches() || line.isEmpty()) {
                document = line.isEmpty() ? "" : start.group(1);
            } else if (!document.isEmpty()) {
                for (String sentence :
                        SENTENCE_END.split(FIELD.matcher(line).replaceFirst(""), -1)) {
                    Set<String> common = longWords(sentence);
                    common.retainAll(asked);
                    if (common.size() > most) {
                        most = common.size();
                        answer = "Document %s: %s".formatted(document, sentence);
                    }
                }
            }
        }
        return answer;
    }

    private static Set<String> longWords(String text) {
        return NO_WORD.splitAsStream(text.toLowerCase(Locale.ROOT))
                .filter(word -> word.length() >= LONG)
                .collect(Collectors.toCollection(HashSet::new));
    }

    private static void write(OutputStream out, JsonNode event) throws IOException {
        out.write(("data: " + event + "\n\n").getBytes(UTF_8));
        out.flush();
    }

    private static ObjectNode error(String message) {
        ObjectNode answer = Http.JSON.createObjectNode();
        answer.putObject("error").put("message", message).put("type", "invalid_request_error");
        return answer;
    }

    private static ObjectNode completion(JsonNode request, String kind) {
        ObjectNode answer = Http.JSON.createObjectNode();
        answer.put("id", "chatcmpl-1").put("object", kind).put("created", 1);
        answer.put("model", request.path("model").asString(""));
        return answer;
    }

    private static ObjectNode whole(JsonNode request, String text) {
        ObjectNode answer = completion(request, "chat.completion");
        ObjectNode choice = answer.putArray("choices").addObject();
        choice.put("index", 0).put("finish_reason", "stop");
        choice.putObject("message").put("role", "assistant").put("content", text);
        return answer;
    }

    private static ObjectNode chunk(JsonNode request, String text, boolean isLast) {
        ObjectNode answer = completion(request, "chat.completion.chunk");
        ObjectNode choice = answer.putArray("choices").addObject();
        choice.put("index", 0);
        choice.putObject("delta").put("content", text);
        if (isLast) {
            choice.put("finish_reason", "stop");
        } else {
            choice.putNull("finish_reason");
        }
        return answer;
    }

    private static void send(HttpExchange exchange, int status, JsonNode body) throws IOException {
        byte[] bytes = body.toString().getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
