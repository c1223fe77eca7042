package org.crabro.client.visit;

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
import java.util.Queue;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import org.crabro.client.http.ServerAccess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that gives answers as they are laid out, one after another. */
class VisitClientTest {
    private static final String A = "{\"put\":\"id:a:b::1\",\"fields\":{\"t\":\"ä\"}}\n";
    private static final String B = "{\"put\":\"id:a:b::2\",\"fields\":{}}\n";
    private static final String C = "{\"remove\":\"id:a:b::3\"}\n";
    private static final String LAST = "{\"continuation\":{\"percentFinished\":100.0}}\n";

    private final Deque<String> answers = new ArrayDeque<>();
    private final List<String> queries = new ArrayList<>();
    private final List<String> positions = new ArrayList<>();
    private final List<Double> percents = new ArrayList<>();
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

    private URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private long visit() throws Exception {
        return visit(ClientVisit.ofType("a", "b").with("format.tensors", "hex"));
    }

    private long visit(ClientVisit visit) throws Exception {
        long[] count = {0};
        try (var client = new VisitClient(ServerAccess.of(address()))) {
            client.forEach(
                    visit,
                    event -> {
                        switch (event) {
                            case VisitEvent.Visited(String line) -> {
                                out.writeBytes((line + "\n").getBytes(UTF_8));
                                count[0]++;
                            }
                            case VisitEvent.Progress(String position, double percent) -> {
                                positions.add(position);
                                percents.add(percent);
                            }
                        }
                    });
        }
        return count[0];
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

    @Test
    void continuesFromAPositionAfterTheDocumentsBeforeIt() throws Exception {
        answers.add(A + token("t") + B + LAST);
        answers.add(B + LAST);

        visit();
        String first = positions.getFirst();
        out.reset();
        visit(ClientVisit.ofType("a", "b").from(first));

        assertThat(percents).containsExactly(50.0, 100.0, 100.0);
        assertThat(out.toString(UTF_8)).isEqualTo(B);
        assertThat(queries.getLast()).isEqualTo("stream=true&continuation=t");
    }

    @Test
    void visitsNothingFromTheLastPosition() throws Exception {
        answers.add(A + LAST);

        visit();

        assertThat(visit(ClientVisit.ofType("a", "b").from(positions.getLast()))).isZero();
        assertThat(queries).hasSize(1);
    }

    @Test
    void readsSlicesAndRemembersEach() throws Exception {
        answers.add(LAST);
        answers.add(LAST);

        visit(ClientVisit.ofGroup("a", "b", "x/y").withSlices(2).withSelection("b.f > 1"));

        assertThat(queries)
                .containsExactlyInAnyOrder(
                        "stream=true&selection=b.f+%3E+1&slices=2&sliceId=0",
                        "stream=true&selection=b.f+%3E+1&slices=2&sliceId=1");
        assertThat(ClientVisit.ofType("a", "b").from(positions.getLast()).slices()).isEqualTo(2);
    }

    @Test
    void rejectsATextThatIsNoPosition() {
        for (String text : List.of("", "abc", "bnVsbA", "%%")) {
            assertThatThrownBy(() -> ClientVisit.ofType("a", "b").from(text))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void publishesWhatIsRequestedAndNoMore() throws Exception {
        answers.add(A + B + LAST);
        var events = new LinkedBlockingQueue<Object>();
        var subscriptions = new LinkedBlockingQueue<Flow.Subscription>();
        try (var client = new VisitClient(ServerAccess.of(address()))) {
            client.publisher(ClientVisit.ofType("a", "b"))
                    .subscribe(new CollectingSubscriber(events, subscriptions));
            Flow.Subscription subscription = subscriptions.take();

            subscription.request(1);
            assertThat(events.take()).isEqualTo(new VisitEvent.Visited(A.strip()));
            assertThat(events).isEmpty();
            subscription.request(Long.MAX_VALUE);

            assertThat(events.take()).isEqualTo(new VisitEvent.Visited(B.strip()));
            assertThat(events.take()).isInstanceOf(VisitEvent.Progress.class);
            assertThat(events.take()).isEqualTo("complete");
        }
    }

    @Test
    void endsAVisitThatIsCancelled() throws Exception {
        answers.add(A + B + LAST);
        var events = new LinkedBlockingQueue<Object>();
        var subscriptions = new LinkedBlockingQueue<Flow.Subscription>();
        try (var client = new VisitClient(ServerAccess.of(address()))) {
            client.publisher(ClientVisit.ofType("a", "b"))
                    .subscribe(new CollectingSubscriber(events, subscriptions));
            Flow.Subscription subscription = subscriptions.take();
            subscription.request(1);
            events.take();

            subscription.cancel();
            subscription.request(5);
        }

        assertThat(events).isEmpty();
    }

    /** Queues what it gets. */
    private record CollectingSubscriber(
            Queue<Object> events, Queue<Flow.Subscription> subscriptions)
            implements Flow.Subscriber<VisitEvent> {
        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscriptions.add(subscription);
        }

        @Override
        public void onNext(VisitEvent event) {
            events.add(event);
        }

        @Override
        public void onError(Throwable failure) {
            events.add(failure);
        }

        @Override
        public void onComplete() {
            events.add("complete");
        }
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
