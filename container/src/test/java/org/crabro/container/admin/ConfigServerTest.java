package org.crabro.container.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.InstantSource;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.http.MetricIntervals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts a config server on a free port, as a process would. */
class ConfigServerTest {
    private static final String TEXT = "field text type string { indexing: index | summary }";

    @TempDir Path directory;
    private final RecordedActivation activation = new RecordedActivation();
    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void answersWhatClientsAskBeforeTheyDeploy() throws Exception {
        try (var server = start()) {
            HttpResponse<String> status = send(server, "HEAD", "/ApplicationStatus", new byte[0]);
            HttpResponse<String> health = send(server, "GET", "/state/v1/health", new byte[0]);
            HttpResponse<String> page = send(server, "GET", "/status.html", new byte[0]);

            assertThat(status.statusCode()).isEqualTo(200);
            assertThat(health.body()).contains("\"code\":\"up\"");
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(server.generation()).isEmpty();
        }
    }

    @Test
    void activatesWhatWasActiveBeforeItListens() throws Exception {
        try (var server = start()) {
            HttpResponse<String> reply =
                    send(
                            server,
                            "POST",
                            "/application/v2/tenant/default/prepareandactivate",
                            Packages.zip(Packages.files(TEXT)));
            assertThat(reply.statusCode()).isEqualTo(200);
        }

        try (var again = start()) {
            assertThat(again.generation()).hasValue(1);
        }

        assertThat(activation.occasions)
                .containsExactly(
                        ModelActivation.Occasion.DEPLOYMENT, ModelActivation.Occasion.START);
        assertThat(activation.models.getLast()).isEqualTo(activation.models.getFirst());
    }

    private ConfigServer start() throws IOException {
        return ConfigServer.start(
                ConfigServerSettings.of(
                        HttpSettings.loopback(0), directory.resolve("packages"), "1"),
                activation,
                new MetricIntervals(InstantSource.system()));
    }

    private HttpResponse<String> send(ConfigServer server, String method, String path, byte[] body)
            throws Exception {
        return client.send(
                HttpRequest.newBuilder(server.url().resolve(path))
                        .header("Content-Type", "application/zip")
                        .method(method, BodyPublishers.ofByteArray(body))
                        .build(),
                BodyHandlers.ofString());
    }
}
