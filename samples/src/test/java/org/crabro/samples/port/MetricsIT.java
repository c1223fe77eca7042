package org.crabro.samples.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What a whole server tells operators of itself. */
class MetricsIT {
    private static final Path ROOT = Path.of(System.getProperty("crabro.root"));
    private static final String SERVER = "http://127.0.0.1:8080";

    /** The command of the page for operators, then what it prints. */
    private static final Pattern EXAMPLE =
            Pattern.compile("```sh\n(curl .*?)```\n\n```text\n(.*?)```\n", Pattern.DOTALL);

    @TempDir Path data;

    private final Http http = new Http();
    private CrabroServer server;

    @BeforeEach
    void writeTwoDocumentsAndRemoveOne() throws Exception {
        server = CrabroServer.start(TestSettings.onAnyPorts(data));
        Http.Answer deployed =
                http.post(
                        server.config()
                                .resolve("/application/v2/tenant/default/prepareandactivate"),
                        "application/zip",
                        NotesApplication.zip());
        assertThat(deployed.status()).as(deployed.toString()).isEqualTo(200);
        for (String id : List.of("kept", "removed")) {
            Http.Answer put =
                    http.post(
                            server.container().resolve("/document/v1/test/note/group/anna/" + id),
                            Http.JSON.readTree("{\"fields\":{\"text\":\"a note\"}}"));
            assertThat(put.status()).as(put.toString()).isEqualTo(200);
        }
        Http.Answer removed =
                http.delete(
                        server.container().resolve("/document/v1/test/note/group/anna/removed"));
        assertThat(removed.status()).as(removed.toString()).isEqualTo(200);
    }

    @AfterEach
    void stop() {
        server.close();
        http.close();
    }

    @Test
    void reportsTheContentsOfTheStore() throws Exception {
        JsonNode answer = http.get(server.container().resolve("/metrics/v2/values")).body();

        Map<String, Double> values = values(answer.get("nodes").get(0).get("services"));

        assertThat(values)
                .containsEntry("content.proton.documentdb.documents.total.last", 1.0)
                .containsEntry("content.proton.documentdb.documents.removed.last", 1.0)
                .containsEntry("vds.idealstate.buckets.last", 1.0)
                .containsEntry("vds.datastored.alldisks.docs.last", 1.0)
                .containsEntry("cluster-controller.resource_usage.nodes_above_limit.last", 0.0);
        assertThat(values.get("vds.datastored.alldisks.bytes.last")).isPositive();
    }

    @Test
    void reportsBodiesAndVisits() throws Exception {
        Map<String, Double> values =
                values(
                        http.get(server.container().resolve("/metrics/v2/values?consumer=vespa"))
                                .body()
                                .get("nodes")
                                .get(0)
                                .get("services"));

        assertThat(values)
                .containsEntry("http.bodies.count.last", 0.0)
                .containsEntry("http.bodies.bytes.last", 0.0)
                .containsEntry("visits.partitions.last", 0.0)
                .containsKeys(
                        "http.bodies.slow.count",
                        "http.bodies.refused.count",
                        "http.bodies.gave.way.count",
                        "visits.refused.count");
    }

    @Test
    void saysWhoseMetricsTheyAre() throws Exception {
        JsonNode services =
                http.get(server.container().resolve("/metrics/v1/values")).body().get("services");

        var clusters = new TreeMap<String, String>();
        for (JsonNode service : services) {
            for (JsonNode metric : service.get("metrics")) {
                clusters.put(
                        service.get("name").asString(),
                        metric.get("dimensions").get("clustername").asString());
            }
        }

        assertThat(clusters)
                .hasToString(
                        "{vespa.container=default, vespa.container-clustercontroller=notes,"
                                + " vespa.distributor=notes, vespa.searchnode=notes,"
                                + " vespa.storagenode=notes}");
    }

    @Test
    void printsWhatThePageForOperatorsShows() throws Exception {
        Matcher example = EXAMPLE.matcher(Files.readString(ROOT.resolve("docs/server.md")));
        assertThat(example.find()).isTrue();

        String said = run(example.group(1));

        assertThat(withoutTime(said)).isEqualTo(withoutTime(example.group(2)));
    }

    private static String withoutTime(String lines) {
        return lines.replaceAll("(?m) \\d+$", "");
    }

    private String run(String command) throws Exception {
        Process shell =
                new ProcessBuilder(
                                "bash",
                                "-c",
                                command.replace(SERVER, server.container().toString()))
                        .redirectErrorStream(true)
                        .start();
        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(command + said).isZero();
        return said;
    }

    private static Map<String, Double> values(JsonNode services) {
        var values = new TreeMap<String, Double>();
        for (JsonNode service : services) {
            for (JsonNode metric : service.get("metrics")) {
                metric.get("values")
                        .properties()
                        .forEach(value -> values.put(value.getKey(), value.getValue().asDouble()));
            }
        }
        return values;
    }
}
