package org.crabro.client.cli;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the command line asks servers, beside feeding. */
final class ServerCalls implements AutoCloseable {
    private static final Duration DEPLOY_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration SEARCH_TIMEOUT = Duration.ofSeconds(30);
    private static final JsonMapper JSON = new JsonMapper();

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /**
     * Deploys a package.
     *
     * @throws IOException if it is refused; the message says why
     */
    void deploy(URI config, byte[] zip) throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(
                                config.resolve("/application/v2/tenant/default/prepareandactivate"))
                        .timeout(DEPLOY_TIMEOUT)
                        .header("Content-Type", "application/zip")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(zip))
                        .build();
        succeed(http.send(request, HttpResponse.BodyHandlers.ofString()));
    }

    /**
     * Runs a query.
     *
     * @param parameters a JSON object
     * @throws IOException if it fails; the message says why
     */
    JsonNode search(URI container, String parameters) throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(container.resolve("/search/"))
                        .timeout(SEARCH_TIMEOUT)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(parameters))
                        .build();
        return JSON.readTree(succeed(http.send(request, HttpResponse.BodyHandlers.ofString())));
    }

    /** Returns whether a query is answered with 200 by now. */
    boolean answers(URI container, String parameters) throws InterruptedException {
        try {
            search(container, parameters);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static String succeed(HttpResponse<String> response) throws IOException {
        if (response.statusCode() != 200) {
            throw new IOException(
                    response.uri() + " answered " + response.statusCode() + ": " + response.body());
        }
        return response.body();
    }

    @Override
    public void close() {
        http.close();
    }
}
