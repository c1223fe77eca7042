package org.crabro.client.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.crabro.client.feed.FeedServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that gives answers as they are laid out, one after another. */
class LinesVisitTest {
    private static final String A = "{\"put\":\"id:a:b::1\",\"fields\":{\"t\":\"ä\"}}\n";
    private static final String B = "{\"put\":\"id:a:b::2\",\"fields\":{}}\n";
    private static final String C = "{\"remove\":\"id:a:b::3\"}\n";
    private static final String LAST = "{\"continuation\":{\"percentFinished\":100.0}}\n";

    private final Deque<String> answers = new ArrayDeque<>();
    private final List<String> queries = new ArrayList<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private HttpServer server;
    private int status = 200;

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

    private static String token(String text) {
        return "{\"continuation\":{\"token\":\"%s\",\"percentFinished\":50.0}}\n".formatted(text);
    }

    private long visit() throws Exception {
        URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        try (var visit = new LinesVisit(new FeedServer(address))) {
            return visit.write(query -> address.resolve("/visit?" + query), out);
        }
    }

    @Test
    void writesOperationsAlone() throws Exception {
        answers.add(A + token("t") + B + C + "{\"sessionStats\":{\"documentCount\":3}}\n" + LAST);

        assertThat(visit()).isEqualTo(3);
        assertThat(out.toString(UTF_8)).isEqualTo(A + B + C);
        assertThat(queries).containsExactly("stream=true&format.tensors=hex");
    }

    @Test
    void goesOnFromTheLastTokenAndWritesNothingTwice() throws Exception {
        answers.add(A + token("first==") + B);
        answers.add(B);
        answers.add(B + token("second") + C.substring(0, 9));
        answers.add(C + LAST);

        assertThat(visit()).isEqualTo(3);
        assertThat(out.toString(UTF_8)).isEqualTo(A + B + C);
        assertThat(queries)
                .extracting(query -> query.replaceFirst(".*hex", ""))
                .containsExactly(
                        "",
                        "&continuation=first%3D%3D",
                        "&continuation=first%3D%3D",
                        "&continuation=second");
    }

    @Test
    void givesUpWhereItComesNoFurther() {
        for (int i = 0; i < 10; i++) {
            answers.add(A);
        }

        assertThatThrownBy(this::visit)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cut off");
        assertThat(queries).hasSize(5);
        assertThat(out.size()).isZero();
    }

    @Test
    void asksNoSecondTimeForWhatIsRefused() {
        status = 400;
        answers.add("{\"message\":\"no such type\"}");

        assertThatThrownBy(this::visit)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no such type");
        assertThat(queries).hasSize(1);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            queries.add(exchange.getRequestURI().getRawQuery());
            byte[] bytes = answers.removeFirst().getBytes(UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }
}
