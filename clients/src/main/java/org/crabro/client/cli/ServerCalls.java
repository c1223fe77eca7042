package org.crabro.client.cli;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.crabro.client.http.ServerAccess;
import org.crabro.client.http.ServerRefusalException;
import org.crabro.client.process.ProgressWatch;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Requests of the command line to servers, except feeding. */
final class ServerCalls implements AutoCloseable {
    /** A server loads the models of a package before it answers. */
    private static final Duration DEPLOY_TIMEOUT = Duration.ofMinutes(10);

    private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration SEARCH_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration HEALTH_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration SERVERS_PAUSE = Duration.ofMillis(50);
    private static final String APPLICATION =
            "application/default/environment/prod/region/default/instance/default/";
    private static final String TENANT = "/application/v2/tenant/default/";
    private static final String BACKUP = "/crabro/v1/backup";
    private static final String SETTLE = "/crabro/v1/settle";
    private static final JsonMapper JSON = new JsonMapper();

    /** Statuses from here on are failures of a server; a retry may succeed. */
    private static final int SERVER_ERROR = 500;

    private final ServerAccess server;
    private final HttpClient http;

    /** Opens a client. Requests to other addresses carry the same credentials. */
    ServerCalls(ServerAccess server) {
        this.server = server;
        this.http = server.open(HttpClient.Version.HTTP_1_1);
    }

    /**
     * Deploys a package, and waits until all servers that run serve it.
     *
     * @return the answer, with the generation as {@code session-id} and warnings in {@code log}
     * @throws IOException if it is rejected; the message contains the reason
     */
    JsonNode deploy(URI config, byte[] zip) throws IOException, InterruptedException {
        return deploy(config, zip, "application/zip");
    }

    /**
     * Deploys a package of the given type, a zip or a compressed tar.
     *
     * @return as above
     * @throws IOException as above
     */
    JsonNode deploy(URI config, byte[] archive, String contentType)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                server.request(config.resolve(TENANT + "prepareandactivate"))
                        .header("Content-Type", contentType)
                        .timeout(DEPLOY_TIMEOUT)
                        .POST(HttpRequest.BodyPublishers.ofByteArray(archive));
        JsonNode answer;
        try {
            answer = JSON.readTree(send(request));
        } catch (HttpTimeoutException e) {
            throw new IOException(
                    "%s did not answer the deployment within %d s; it may become active later"
                            .formatted(config, DEPLOY_TIMEOUT.toSeconds()),
                    e);
        }
        awaitServers(config, answer.path("session-id").asLong(0), ProgressWatch.begin());
        return answer;
    }

    /**
     * Waits until all servers that run serve a generation.
     *
     * @param watch ends the wait when the answers do not change any more
     */
    void awaitServers(URI config, long generation, ProgressWatch watch)
            throws IOException, InterruptedException {
        URI state = config.resolve(TENANT + APPLICATION + "serviceconverge");
        while (true) {
            String seen;
            try {
                JsonNode services = get(state);
                if (services.path("currentGeneration").asLong(0) >= generation) {
                    return;
                }
                seen = services.toString();
            } catch (ServerRefusalException e) {
                if (e.status() < SERVER_ERROR) {
                    throw e;
                }
                seen = "status " + e.status();
            } catch (IOException e) {
                // Another config server may begin to lead.
                seen = e.toString();
            }
            Optional<String> end = watch.end(seen);
            if (end.isPresent()) {
                throw new IOException(
                        "generation %d is deployed, but not active on all servers: %s; see their logs. The last answer: %s"
                                .formatted(generation, end.get(), seen));
            }
            Thread.sleep(SERVERS_PAUSE);
        }
    }

    /**
     * Runs a query.
     *
     * @param parameters a JSON object
     * @return the result, in JSON
     * @throws IOException if it fails; the message contains the reason
     */
    byte[] search(URI container, String parameters) throws IOException, InterruptedException {
        return bytes(
                server.request(container.resolve("/search/"))
                        .timeout(SEARCH_TIMEOUT)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(parameters)));
    }

    /**
     * Sends a GET request and returns the answer.
     *
     * @throws IOException if it fails; the message contains the reason
     */
    JsonNode get(URI address) throws IOException, InterruptedException {
        return answer(server.request(address).GET());
    }

    /**
     * Sends a DELETE request.
     *
     * @throws IOException if it is rejected or fails; the message contains the reason
     */
    void delete(URI address) throws IOException, InterruptedException {
        answer(server.request(address).DELETE());
    }

    /** Returns whether a query is answered with 200 by now. */
    boolean answers(URI container, String parameters) throws InterruptedException {
        try {
            byte[] _ = search(container, parameters);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Requests a backup.
     *
     * @param directory an absolute path on the server's machine
     * @return the state of the backup, which may be running
     * @throws IOException if it is rejected or failed; the message contains the reason
     */
    JsonNode backup(URI config, Path directory) throws IOException, InterruptedException {
        String body = JSON.writeValueAsString(Map.of("directory", directory.toString()));
        return answer(
                server.request(config.resolve(BACKUP))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    /** Returns the state of the last backup, which may be running. */
    JsonNode lastBackup(URI config) throws IOException, InterruptedException {
        return get(config.resolve(BACKUP));
    }

    /**
     * Requests that a server flushes and merges everything.
     *
     * @param timeout a number of seconds, or a number with s, m or h
     * @return its state, and the remaining work
     * @throws IOException if it is rejected or failed; the message contains the reason
     */
    JsonNode settle(URI config, String timeout) throws IOException, InterruptedException {
        String query = "?timeout=" + URLEncoder.encode(timeout, StandardCharsets.UTF_8);
        return answer(
                server.request(config.resolve(SETTLE + query))
                        .POST(HttpRequest.BodyPublishers.noBody()));
    }

    /** Returns the state of the last call of {@link #settle}, and the work that is left. */
    JsonNode lastSettle(URI config) throws IOException, InterruptedException {
        return get(config.resolve(SETTLE));
    }

    private JsonNode answer(HttpRequest.Builder request) throws IOException, InterruptedException {
        return JSON.readTree(send(request.timeout(ANSWER_TIMEOUT)));
    }

    private String send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = exchange(request);
        if (response.statusCode() / 100 != 2) {
            throw ServerRefusalException.of(response);
        }
        return response.body();
    }

    /** Returns whether a port answers requests for its health. */
    boolean isUp(URI address) throws InterruptedException {
        try {
            exchange(
                    server.request(address.resolve("/state/v1/health"))
                            .timeout(HEALTH_TIMEOUT)
                            .GET());
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Sends a request and returns the body of the answer.
     *
     * @throws IOException if it is rejected or fails
     */
    byte[] bytes(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<byte[]> response =
                server.send(http, request.build(), HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() != 200) {
            throw ServerRefusalException.of(
                    response.uri(),
                    response.statusCode(),
                    new String(response.body(), StandardCharsets.UTF_8));
        }
        return response.body();
    }

    /** Returns a request with the credentials. */
    HttpRequest.Builder request(URI address) {
        return server.request(address).timeout(ANSWER_TIMEOUT);
    }

    /** Sends a request and returns the answer, whatever its status. */
    HttpResponse<String> exchange(HttpRequest.Builder request)
            throws IOException, InterruptedException {
        return server.send(http, request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        http.close();
    }
}
