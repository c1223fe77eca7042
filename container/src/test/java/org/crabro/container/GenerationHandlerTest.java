package org.crabro.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.crabro.container.access.AccessControl;
import org.crabro.container.access.AccessHandler;
import org.crabro.container.access.Route;
import org.crabro.container.http.JsonReply;
import org.crabro.document.memory.RequestMemory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Talks HTTP to the handler in memory: no port is opened. */
class GenerationHandlerTest {
    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);
    private final ActiveGeneration active = new ActiveGeneration();
    private final BlockingQueue<Long> released = new LinkedBlockingQueue<>();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch mayLeave = new CountDownLatch(1);

    @BeforeEach
    void start() throws Exception {
        server.addConnector(connector);
        server.setHandler(new GenerationHandler(active, new RequestMemory(1 << 20)));
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    @Test
    void saysThatNothingIsDeployed() throws Exception {
        assertThat(get("/")).startsWith("HTTP/1.1 503").contains("no application is deployed");
    }

    @Test
    void letsAGenerationGoWhenItsLastRequestEnds() throws Exception {
        activate(1);
        var slow = CompletableFuture.supplyAsync(() -> getUnchecked("/slow"));
        entered.await();

        activate(2);
        List<Long> whileItRuns = List.copyOf(released);
        boolean isAlone = active.isAlone();
        String meanwhile = get("/");
        mayLeave.countDown();
        String answer = slow.join();

        assertThat(whileItRuns).isEmpty();
        assertThat(isAlone).isFalse();
        assertThat(meanwhile).endsWith("{\"generation\":\"2\"}");
        assertThat(answer).endsWith("{\"generation\":\"1\"}");
        assertThat(nextReleased()).isEqualTo(1);
        assertThat(released).isEmpty();
        assertThat(active.number()).isEqualTo(2);
    }

    @Test
    void countsRequestsOutThatNobodyAnswersOrThatFail() throws Exception {
        activate(1);

        assertThat(get("/untouched")).startsWith("HTTP/1.1 404");
        assertThat(get("/fails")).startsWith("HTTP/1.1 500");

        activate(2);
        assertThat(nextReleased()).isEqualTo(1);
        assertThat(released).isEmpty();
    }

    /** A client has its answer a moment before its request is counted out. */
    private long nextReleased() throws InterruptedException {
        return Objects.requireNonNull(released.poll(10, TimeUnit.SECONDS), "nothing is released");
    }

    private void activate(long number) {
        var answers =
                new Handler.Abstract() {
                    @Override
                    public boolean handle(Request request, Response response, Callback callback)
                            throws Exception {
                        String path = Request.getPathInContext(request);
                        if (path.equals("/slow")) {
                            entered.countDown();
                            mayLeave.await();
                        }
                        if (path.equals("/fails")) {
                            throw new IllegalStateException("on purpose");
                        }
                        if (path.equals("/untouched")) {
                            return false;
                        }
                        JsonReply.send(
                                response, callback, 200, "generation", Long.toString(number));
                        return true;
                    }
                };
        active.replaceWith(
                new Generation(
                        number,
                        _ ->
                                new AccessHandler(
                                        List.of(
                                                new Route(
                                                        answers,
                                                        Route.Paths.in("/"),
                                                        _ -> AccessHandler.Demand.NOTHING)),
                                        AccessControl.OPEN),
                        ScriptsOfTypes.NONE,
                        Map.of(),
                        () -> released.add(number)));
    }

    private String getUnchecked(String path) {
        try {
            return get(path);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private String get(String path) throws Exception {
        return connector.getResponse("GET " + path + " HTTP/1.0\r\n\r\n");
    }
}
