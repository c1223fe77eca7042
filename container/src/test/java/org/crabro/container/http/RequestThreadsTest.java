package org.crabro.container.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestThreadsTest {
    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);
    private final ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor();
    private final ExecutorService platform = Executors.newSingleThreadExecutor();
    private final AtomicBoolean mayBlock = new AtomicBoolean();
    private final AtomicReference<Thread> reading = new AtomicReference<>();
    private final AtomicReference<Thread> answering = new AtomicReference<>();
    private final CountDownLatch isScanning = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    /** Answers with the kind of its thread; {@code /scan/long} only when released. */
    private final Handler handler =
            new Handler.Abstract() {
                @Override
                public boolean handle(Request request, Response response, Callback callback)
                        throws Exception {
                    answering.set(Thread.currentThread());
                    switch (Request.getPathInContext(request)) {
                        case "/none" -> {
                            return false;
                        }
                        case "/scan/fails" -> throw new IllegalStateException("on purpose");
                        case "/scan/long" -> {
                            isScanning.countDown();
                            end.await();
                        }
                        default -> {
                            // Answered at once.
                        }
                    }
                    String thread = Thread.currentThread().isVirtual() ? "virtual" : "platform";
                    JsonReply.send(response, callback, 200, "thread", thread);
                    return true;
                }
            };

    @BeforeEach
    void start() throws Exception {
        server.addConnector(connector);
        server.setErrorHandler(new JsonErrorHandler());
        server.setHandler(
                new Reading(
                        new RequestThreads(
                                handler,
                                virtual,
                                platform,
                                request -> Request.getPathInContext(request).startsWith("/scan"),
                                1)));
        server.start();
    }

    /** Runs on the thread that has read a request, and records whether that thread may block. */
    private final class Reading extends Handler.Wrapper {
        Reading(Handler handler) {
            super(handler);
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback)
                throws Exception {
            reading.set(Thread.currentThread());
            if (mayBlock.get()) {
                return super.handle(request, response, callback);
            }
            var isHandled = new AtomicBoolean();
            Invocable.invokeNonBlocking(() -> {
                try {
                    isHandled.set(super.handle(request, response, callback));
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            return isHandled.get();
        }
    }

    @AfterEach
    void stop() throws Exception {
        end.countDown();
        server.stop();
        virtual.close();
        platform.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void answersScansOnPlatformThreadsAndAllElseOnVirtualOnes(boolean isReaderBlocking) {
        mayBlock.set(isReaderBlocking);

        assertThat(get("/scan")).contains("platform");
        if (isReaderBlocking) {
            assertThat(answering.get()).isSameAs(reading.get());
        } else {
            assertThat(answering.get()).isNotSameAs(reading.get());
        }
        assertThat(get("/other")).contains("virtual");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void answersScansOnVirtualThreadsWhileAllPlatformThreadsScan(boolean isReaderBlocking)
            throws Exception {
        mayBlock.set(isReaderBlocking);
        CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> get("/scan/long"));
        isScanning.await();
        String second = get("/scan");
        end.countDown();

        assertThat(second).contains("virtual");
        assertThat(first.get()).contains("platform");
        assertThat(get("/other")).contains("virtual");
    }

    @Test
    void givesAThreadBackThatFailed() throws Exception {
        String failed = get("/scan/fails");
        // An answer may leave before its thread is free.
        platform.submit(() -> {}).get();

        assertThat(failed).startsWith("HTTP/1.1 500");
        assertThat(get("/scan")).contains("platform");
    }

    @Test
    void answers404WithoutAHandler() {
        assertThat(get("/none")).startsWith("HTTP/1.1 404");
    }

    private String get(String path) {
        try {
            return connector.getResponse("GET " + path + " HTTP/1.0\r\n\r\n");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
