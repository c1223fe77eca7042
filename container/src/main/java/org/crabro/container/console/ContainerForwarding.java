package org.crabro.container.console;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.crabro.container.http.JsonReply;
import org.crabro.container.http.PassedBody;
import org.crabro.container.http.UnreadBody;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards queries and reads of documents to a container of a cluster, and its answer to the
 * client. The container checks the permissions of the sender. Runs on virtual threads, which wait.
 */
public final class ContainerForwarding extends Handler.Abstract implements AutoCloseable {
    /** The most bytes of a query, which is in memory so that a second container can get it. */
    static final int QUERY_BYTES_MAX = 4 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(ContainerForwarding.class);
    private static final Duration CONNECT_TIME = Duration.ofSeconds(2);

    /** The time for the begin of an answer, longer than any query takes by default. */
    private static final Duration ANSWER_TIME = Duration.ofMinutes(2);

    /** The headers of requests that have a meaning for containers. */
    private static final List<String> ASKED =
            List.of("Content-Type", "Accept", "Authorization", "traceparent");

    /** The headers of answers that the pages use. Others are those of the console. */
    private static final List<String> ANSWERED =
            List.of("Content-Type", "WWW-Authenticate", "Retry-After");

    private final Supplier<List<URI>> containers;
    private final ExecutorService threads =
            Executors.newThreadPerTaskExecutor(
                    Thread.ofVirtual().name("forward-console").factory());
    private final HttpClient client =
            HttpClient.newBuilder()
                    .connectTimeout(CONNECT_TIME)
                    .version(HttpClient.Version.HTTP_1_1)
                    .executor(threads)
                    .build();

    /**
     * @param containers returns the addresses of containers of the active application, in the order
     *     in which they are tried
     */
    public ContainerForwarding(Supplier<List<URI>> containers) {
        this.containers = containers;
    }

    /** Returns handlers that forward. */
    public ContainerRequests requests() {
        return new ContainerRequests(this, this);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback)
            throws IOException {
        InputStream sent = Content.Source.asInputStream(request);
        byte[] body = sent.readNBytes(QUERY_BYTES_MAX + 1);
        if (body.length > QUERY_BYTES_MAX) {
            UnreadBody.drain(
                    request,
                    response,
                    callback,
                    sending ->
                            JsonReply.send(
                                    response,
                                    sending,
                                    HttpStatus.PAYLOAD_TOO_LARGE_413,
                                    "message",
                                    "the query is longer than the %,d bytes that the console forwards; send it to the container"
                                            .formatted(QUERY_BYTES_MAX)));
            return true;
        }
        List<URI> all = containers.get();
        if (all.isEmpty()) {
            refuse(
                    response,
                    callback,
                    "no container reports to the config server; deploy an application with a container, or start its host");
            return true;
        }
        var failures = new ArrayList<String>();
        for (URI container : all) {
            try {
                HttpResponse<InputStream> answer =
                        client.send(
                                forwarded(request, body, container), BodyHandlers.ofInputStream());
                answer(answer, request, response, callback);
                return true;
            } catch (HttpConnectTimeoutException e) {
                failures.add(failure(container, e));
            } catch (HttpTimeoutException e) {
                // Another container would search as long.
                LOG.info("{} did not answer the console", container, e);
                refuse(
                        response,
                        callback,
                        "%s has not answered within %d seconds"
                                .formatted(container, ANSWER_TIME.toSeconds()));
                return true;
            } catch (IOException | IllegalArgumentException e) {
                failures.add(failure(container, e));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                refuse(response, callback, "the server stops; try again");
                return true;
            }
        }
        refuse(
                response,
                callback,
                "no container of the application can be reached from the config server: "
                        + String.join("; ", failures));
        return true;
    }

    private static String failure(URI container, Exception reason) {
        LOG.info("{} did not answer the console", container, reason);
        String message = reason.getMessage();
        return container
                + " ("
                + (message == null ? reason.getClass().getSimpleName() : message)
                + ")";
    }

    private static HttpRequest forwarded(Request request, byte[] body, URI container) {
        HttpRequest.Builder forwarded =
                HttpRequest.newBuilder(URI.create(container + request.getHttpURI().getPathQuery()))
                        .timeout(ANSWER_TIME)
                        .method(
                                request.getMethod(),
                                body.length == 0
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofByteArray(body));
        for (String name : ASKED) {
            @Nullable String value = request.getHeaders().get(name);
            if (value != null) {
                forwarded.header(name, value);
            }
        }
        return forwarded.build();
    }

    private static void answer(
            HttpResponse<InputStream> answer,
            Request request,
            Response response,
            Callback callback) {
        response.setStatus(answer.statusCode());
        for (String name : ANSWERED) {
            answer.headers()
                    .firstValue(name)
                    .ifPresent(value -> response.getHeaders().put(name, value));
        }
        PassedBody.send(answer, request, response, callback);
    }

    private static void refuse(Response response, Callback callback, String reason) {
        response.getHeaders().put(HttpHeader.RETRY_AFTER, "2");
        JsonReply.send(response, callback, HttpStatus.SERVICE_UNAVAILABLE_503, "message", reason);
    }

    /** Ends the requests in progress. */
    @Override
    public void close() {
        client.shutdownNow();
        threads.shutdown();
    }
}
