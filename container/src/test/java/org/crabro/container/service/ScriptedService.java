package org.crabro.container.service;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

/**
 * A network service of a test, which answers with a list of prepared answers and then with others.
 */
public final class ScriptedService implements AutoCloseable {
    private final HttpServer server;
    private final Queue<Answer> prepared = new ArrayDeque<>();
    private final List<Request> requests = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch isOver = new CountDownLatch(1);
    private final Function<String, Answer> otherwise;

    /** A request that the service received. */
    public record Request(String path, String authorization, String body) {}

    /**
     * An answer.
     *
     * @param status 0 to answer nothing until the service ends, -1 to close the connection
     */
    public record Answer(int status, Map<String, String> headers, String body) {
        public static Answer of(int status, String body) {
            return new Answer(status, Map.of(), body);
        }
    }

    /**
     * @param otherwise makes the answer of a body after the prepared answers
     */
    public ScriptedService(Function<String, Answer> otherwise) throws IOException {
        this.otherwise = otherwise;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(task -> Thread.ofVirtual().start(task));
        server.start();
    }

    /** Answers the next request without an answer with {@code answer}. */
    public synchronized ScriptedService then(Answer answer) {
        prepared.add(answer);
        return this;
    }

    public URI uri(String path) {
        return URI.create(
                "http://%s:%d%s"
                        .formatted(
                                server.getAddress().getAddress().getHostAddress(),
                                server.getAddress().getPort(),
                                path));
    }

    /** Returns the requests so far. */
    public List<Request> requests() {
        return List.copyOf(requests);
    }

    private synchronized Answer next(String body) {
        Answer answer = prepared.poll();
        return answer == null ? otherwise.apply(body) : answer;
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        requests.add(
                new Request(
                        exchange.getRequestURI().toString(),
                        authorization == null ? "" : authorization,
                        body));
        Answer answer = next(body);
        if (answer.status <= 0) {
            if (answer.status == 0) {
                awaitEnd();
            }
            exchange.close();
            return;
        }
        answer.headers.forEach((name, value) -> exchange.getResponseHeaders().add(name, value));
        byte[] bytes = answer.body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer.status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private void awaitEnd() {
        try {
            isOver.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        isOver.countDown();
        server.stop(0);
    }
}
