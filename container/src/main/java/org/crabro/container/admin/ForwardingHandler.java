package org.crabro.container.admin;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.crabro.container.http.PassedBody;
import org.crabro.container.http.UnreadBody;
import org.crabro.container.http.UnusableBodyException;
import org.crabro.protocol.transport.NodeCertificates;
import org.crabro.protocol.transport.TlsFiles;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards requests to the config server that leads, and its answers to the client. Runs on virtual
 * threads, which wait.
 */
final class ForwardingHandler extends Handler.Abstract implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ForwardingHandler.class);
    private static final Duration CONNECT_TIME = Duration.ofSeconds(2);

    /** The time for the begin of an answer, as long as the same server leads. */
    private static final Duration ANSWER_TIME = Duration.ofMinutes(10);

    /** How often the leader is compared with the server that was asked. */
    private static final Duration LOOK = Duration.ofMillis(500);

    /** Causes of a failed request are followed no further. */
    private static final int CAUSES_MAX = 20;

    private static final Set<String> BODILESS =
            Set.of(
                    HttpMethod.GET.asString(),
                    HttpMethod.HEAD.asString(),
                    HttpMethod.DELETE.asString());

    /** The headers of requests that have a meaning for the deploy API, or for a container. */
    private static final List<String> ASKED = List.of("Content-Type", "Accept", "Authorization");

    /** The headers of answers that concern one connection only. */
    private static final Set<String> OF_CONNECTION =
            Set.of(
                    "connection",
                    "content-length",
                    "date",
                    "keep-alive",
                    "server",
                    "transfer-encoding",
                    "vary");

    private final long maxBytes;
    private final Supplier<Optional<URI>> leader;
    private final ExecutorService threads =
            Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("forward-config").factory());
    private final HttpClient client;

    /**
     * @param maxBytes longer bodies are refused, as the leader does
     * @param leader returns where to forward; empty if it is not known
     * @param tls empty to talk without TLS
     */
    ForwardingHandler(long maxBytes, Supplier<Optional<URI>> leader, Optional<TlsFiles> tls) {
        this.maxBytes = maxBytes;
        this.leader = leader;
        HttpClient.Builder builder =
                HttpClient.newBuilder()
                        .connectTimeout(CONNECT_TIME)
                        .version(HttpClient.Version.HTTP_1_1)
                        .executor(threads);
        tls.map(ForwardingHandler::context).ifPresent(builder::sslContext);
        this.client = builder.build();
    }

    private static SSLContext context(TlsFiles files) {
        NodeCertificates certificates = NodeCertificates.read(files);
        try {
            SSLContext context = SSLContext.getInstance("TLSv1.3");
            context.init(
                    new KeyManager[] {certificates.keyManager()},
                    new TrustManager[] {certificates.trustManager()},
                    new SecureRandom());
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has TLS 1.3", e);
        }
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        return ConfigPort.isForLeader(request) && forward(request, response, callback);
    }

    /** Forwards a request, whatever its path; returns true. */
    boolean forward(Request request, Response response, Callback callback) {
        if (request.getLength() > maxBytes) {
            new AdminExchange(request, response, callback)
                    .tooLarge(DeployEndpoint.tooLarge(maxBytes));
            return true;
        }
        Optional<URI> to = leader.get();
        if (to.isEmpty()) {
            UnreadBody.drain(
                    request,
                    response,
                    callback,
                    sent ->
                            ConfigPort.refuse(
                                    response, sent, "no config server leads now; try again"));
            return true;
        }
        URI uri;
        try {
            uri = URI.create(to.get() + request.getHttpURI().getPathQuery());
        } catch (IllegalArgumentException e) {
            UnreadBody.drain(
                    request,
                    response,
                    callback,
                    sent ->
                            AdminError.BAD_REQUEST.send(
                                    response,
                                    sent,
                                    "the path is not encoded as paths are: " + e.getMessage()));
            return true;
        }
        try {
            answer(send(request, uri, to.get()), request, response, callback);
        } catch (UnusableBodyException e) {
            new AdminExchange(request, response, callback)
                    .fail(AdminError.BAD_REQUEST, e.getReason());
        } catch (IOException e) {
            LOG.info("{} {} was not forwarded to {}", request.getMethod(), uri, to.get(), e);
            ConfigPort.refuse(
                    response,
                    callback,
                    "the config server that leads did not answer, and may have done what was"
                            + " asked; try again");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            ConfigPort.refuse(response, callback, "the server stops; try again");
        }
        return true;
    }

    private HttpResponse<InputStream> send(Request request, URI uri, URI asked)
            throws IOException, InterruptedException {
        HttpRequest.Builder forwarded =
                HttpRequest.newBuilder(uri)
                        .method(request.getMethod(), body(request))
                        .header(ForwardedRequests.SCHEME, request.getHttpURI().getScheme())
                        .header(ForwardedRequests.HOST, Request.getServerName(request))
                        .header(
                                ForwardedRequests.PORT,
                                Integer.toString(Request.getServerPort(request)));
        for (String name : ASKED) {
            @Nullable String value = request.getHeaders().get(name);
            if (value != null) {
                forwarded.header(name, value);
            }
        }
        CompletableFuture<HttpResponse<InputStream>> sent =
                client.sendAsync(forwarded.build(), BodyHandlers.ofInputStream());
        long end = System.nanoTime() + ANSWER_TIME.toNanos();
        while (true) {
            try {
                return sent.get(LOOK.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                if (System.nanoTime() > end || !leader.get().equals(Optional.of(asked))) {
                    sent.cancel(true);
                    throw new IOException("no answer from " + asked, e);
                }
            } catch (ExecutionException e) {
                throw failure(e);
            }
        }
    }

    /** Returns why a request failed: because of its body, if that is a cause. */
    private static IOException failure(ExecutionException failed) {
        @Nullable Throwable cause = failed.getCause();
        for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
            if (cause instanceof UnusableBodyException body) {
                return body;
            }
            cause = cause.getCause();
        }
        return new IOException(String.valueOf(failed.getCause()), failed);
    }

    private static BodyPublisher body(Request request) {
        if (BODILESS.contains(request.getMethod()) || request.getLength() == 0) {
            return BodyPublishers.noBody();
        }
        BodyPublisher stream =
                BodyPublishers.ofInputStream(() -> Content.Source.asInputStream(request));
        return request.getLength() > 0
                ? BodyPublishers.fromPublisher(stream, request.getLength())
                : stream;
    }

    private static void answer(
            HttpResponse<InputStream> answer,
            Request request,
            Response response,
            Callback callback) {
        response.setStatus(answer.statusCode());
        answer.headers()
                .map()
                .forEach((name, values) -> {
                    if (!OF_CONNECTION.contains(name) && !name.startsWith(":")) {
                        response.getHeaders().put(name, values);
                    }
                });
        PassedBody.send(answer, request, response, callback);
    }

    /** Ends the requests in progress. */
    @Override
    public void close() {
        client.shutdownNow();
        threads.shutdown();
    }
}
