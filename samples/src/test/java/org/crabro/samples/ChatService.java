package org.crabro.samples;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A service with the interface of OpenAI that runs no model: it answers with the number of
 * documents in the prompt, and the last line of the prompt, word by word. The same prompt always
 * has the same answer.
 *
 * <p>The model {@code slow} sends one word and then comments until the client closes the
 * connection. Every other key than {@value #KEY} is rejected.
 */
public final class ChatService implements AutoCloseable {
    static final String KEY = "stand-in-key";

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
        long documents =
                prompt.lines().filter(line -> line.matches("document \\[\\d+\\]:")).count();
        String last = prompt.lines().reduce("", (_, line) -> line);
        var words = new ArrayList<String>(List.of(documents + " documents:"));
        for (String word : last.split(" ", -1)) {
            words.add(" " + word);
        }
        return words;
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
