package org.crabro.client.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A port of a server, and the credentials of requests to it.
 *
 * {@snippet :
 * var access =
 *         ServerAccess.of(URI.create("https://search.example.com:8443"))
 *                 .withToken(System.getenv("CRABRO_TOKEN"))
 *                 .withTls(ClientTls.trusting(Path.of("authority.pem")));
 * }
 *
 * @param address the port for documents and queries, such as {@code http://127.0.0.1:8080}
 * @param token the bearer token of all requests, if they have one
 * @param tls what connections trust and present; without it, they trust the authorities of the Java
 *     runtime and have no certificate
 */
public record ServerAccess(URI address, Optional<String> token, Optional<ClientTls> tls) {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    /** Returns access without credentials. */
    public static ServerAccess of(URI address) {
        return new ServerAccess(address, Optional.empty(), Optional.empty());
    }

    /** Returns the same access with a token; an empty text removes it. */
    public ServerAccess withToken(String text) {
        return new ServerAccess(
                address, text.isEmpty() ? Optional.empty() : Optional.of(text), tls);
    }

    /** Returns the same access with other authorities, and perhaps a certificate. */
    public ServerAccess withTls(ClientTls other) {
        return new ServerAccess(address, token, Optional.of(other));
    }

    /** Opens an HTTP client whose connections use {@link #tls}. The caller closes it. */
    public HttpClient open(HttpClient.Version version) {
        HttpClient.Builder client =
                HttpClient.newBuilder().version(version).connectTimeout(CONNECT_TIMEOUT);
        tls.ifPresent(given -> client.sslContext(given.context()));
        return client.build();
    }

    /**
     * Returns a request to this server, with the token if there is one.
     *
     * @param place an absolute address, or one relative to {@link #address}
     */
    public HttpRequest.Builder request(URI place) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address.resolve(place));
        token.ifPresent(text -> request.header("Authorization", "Bearer " + text));
        return request;
    }

    /**
     * Sends a request.
     *
     * @throws UnreachableServerException if no connection can be opened
     * @throws IOException if it fails otherwise
     */
    public <T> HttpResponse<T> send(
            HttpClient http, HttpRequest request, HttpResponse.BodyHandler<T> body)
            throws IOException, InterruptedException {
        try {
            return http.send(request, body);
        } catch (IOException e) {
            throw failure(request.uri(), e);
        }
    }

    /**
     * Sends a request, and again while the server is full.
     *
     * @return the answer; one that says that the server is full if it was for the whole time limit
     * @throws UnreachableServerException if no connection can be opened
     * @throws IOException if it fails otherwise
     */
    public HttpResponse<String> sendPatiently(
            HttpClient http, HttpRequest request, BusyServers busy)
            throws IOException, InterruptedException {
        var wait = new BusyWait(busy);
        while (true) {
            HttpResponse<String> response =
                    send(http, request, HttpResponse.BodyHandlers.ofString());
            if (!RetryAfter.isBusy(response.statusCode())) {
                return response;
            }
            Optional<Duration> pause =
                    wait.next(
                            RetryAfter.of(response),
                            System.nanoTime(),
                            String.valueOf(ServerRefusalException.of(response).getMessage()));
            if (pause.isEmpty()) {
                return response;
            }
            Thread.sleep(pause.get());
        }
    }

    /**
     * Sends a request.
     *
     * @return completes exceptionally with the exceptions of {@link #send}
     */
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpClient http, HttpRequest request, HttpResponse.BodyHandler<T> body) {
        return http.sendAsync(request, body)
                .exceptionallyCompose(failure -> {
                    Throwable cause =
                            failure instanceof CompletionException && failure.getCause() != null
                                    ? failure.getCause()
                                    : failure;
                    return CompletableFuture.failedFuture(
                            cause instanceof IOException ioFailure
                                    ? failure(request.uri(), ioFailure)
                                    : cause);
                });
    }

    /**
     * Returns what to report if a request failed: an {@link UnreachableServerException} if no
     * connection could be opened, else the failure itself.
     *
     * @param address of the request
     */
    private static IOException failure(URI address, IOException failure) {
        return failure instanceof ConnectException || failure instanceof HttpConnectTimeoutException
                ? new UnreachableServerException(address, failure)
                : failure;
    }

    /** Returns the address without the token, which must not reach logs. */
    @Override
    public String toString() {
        return address.toString();
    }
}
