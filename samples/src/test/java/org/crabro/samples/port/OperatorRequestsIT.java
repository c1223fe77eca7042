package org.crabro.samples.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.crabro.samples.fixture.ServedPackage;
import org.crabro.samples.fixture.ServedPackage.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What load balancers, scrapers and command lines ask besides documents and queries. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperatorRequestsIT {
    private static final String JSON = "application/json; charset=UTF-8";

    @TempDir static Path data;

    private ServedPackage served;

    @BeforeAll
    void start() throws Exception {
        served = new ServedPackage(data).deployed();
        served.note("docid/1", "\"year\":1");
    }

    @AfterAll
    void stop() {
        served.close();
    }

    @Test
    void listsItsHandlers() throws Exception {
        Answer answer = served.get("/");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).isEqualTo(JSON);
        boolean isThere = false;
        for (JsonNode handler : answer.json().get("handlers")) {
            assertThat(handler.propertyNames())
                    .containsExactly("id", "class", "bundle", "serverBindings");
            if (handler.get("class").asString().endsWith("DocumentV1ApiHandler")) {
                isThere = true;
                assertThat(handler.get("serverBindings").toString())
                        .contains("\"http://*/document/v1/*\"");
            }
        }
        assertThat(isThere).isTrue();
    }

    @Test
    void returnsItsStatus() throws Exception {
        Answer page = served.get("/status.html");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Type")).startsWith("text/html");
        assertThat(page.body()).contains("<title>OK</title>");

        JsonNode status = served.get("/ApplicationStatus").json();
        assertThat(status.propertyNames())
                .contains(
                        "application",
                        "abstractComponents",
                        "handlers",
                        "clients",
                        "servers",
                        "httpRequestFilters",
                        "httpResponseFilters",
                        "searchChains",
                        "docprocChains",
                        "processingChains");
        assertThat(status.at("/application/vespa/version").asString()).isNotEmpty();
        assertThat(status.at("/application/meta/generation").asLong()).isPositive();
        for (String path : List.of("/ApplicationStatus", "/status.html")) {
            assertThat(served.send("HEAD", path, "").status()).isEqualTo(200);
            assertThat(served.send("HEAD", served.config(path), new byte[0]).status())
                    .isEqualTo(200);
        }
        // A client looks for this line to the letter.
        assertThat(served.raw("HEAD /ApplicationStatus HTTP/1.0\r\n\r\n"))
                .startsWith("HTTP/1.1 200 OK\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/status.html",
                "/ApplicationStatus",
                "/state/v1/health",
                "/metrics/v1/values",
                "/metrics/v2/values",
                "/prometheus/v1/values"
            })
    void rejectsPosts(String path) throws Exception {
        Answer answer = served.post(path, "{}");

        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.json().propertyNames()).containsExactly("error");
    }

    /** Otherwise a client could send its next request over a connection that the server closes. */
    @ParameterizedTest
    @CsvSource({
        "/, localhost",
        "/state/v1/health, localhost",
        "/metrics/v1/values, localhost",
        "/nothing, localhost",
        "/search/, elsewhere"
    })
    void announcesThatTheConnectionEndsIfABodyHasNotArrived(String path, String host)
            throws Exception {
        String request =
                "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Length: 2\r\n\r\n".formatted(path, host);

        assertThat(served.raw(request))
                .startsWith("HTTP/1.1 40")
                .contains("\r\nConnection: close\r\n");
    }

    @Test
    void listsWhatItsStateHas() throws Exception {
        for (String path : List.of("/state/v1", "/state/v1/")) {
            JsonNode resources = served.get(path).json().get("resources");
            List<String> urls =
                    resources.valueStream().map(each -> each.get("url").asString()).toList();
            String root = served.container("/state/v1/").toString();
            assertThat(urls)
                    .containsExactlyInAnyOrder(
                            root + "config", root + "health", root + "metrics", root + "version");
            for (String url : urls) {
                assertThat(served.get(url).status()).as(url).isEqualTo(200);
            }
        }
        assertThat(served.get("/state/v1/version").json().get("version").asString()).isNotEmpty();
        JsonNode config = served.get("/state/v1/config").json().get("config");
        assertThat(config.get("generation").asLong()).isPositive();
        assertThat(config.at("/container/generation").asLong())
                .isEqualTo(config.get("generation").asLong());
        assertThat(served.get("/state/v1/nothere").status()).isEqualTo(404);
    }

    @Test
    void returnsItsHealth() throws Exception {
        JsonNode health = served.get("/state/v1/health").json();

        assertThat(health.propertyNames()).containsExactly("time", "status", "metrics");
        assertThat(health.at("/status/code").asString()).isEqualTo("up");
        assertThat(health.get("time").isIntegralNumber()).isTrue();
        JsonNode snapshot = health.at("/metrics/snapshot");
        assertThat(snapshot.get("from").isFloatingPointNumber()).isTrue();
        assertThat(snapshot.get("to").asDouble())
                .isGreaterThanOrEqualTo(snapshot.get("from").asDouble());
        JsonNode values = health.at("/metrics/values");
        assertThat(values.get(0).get("name").asString()).isEqualTo("requestsPerSecond");
        assertThat(values.get(0).get("values").propertyNames()).containsExactly("count", "rate");
        assertThat(values.get(1).get("name").asString()).isEqualTo("latencySeconds");
        assertThat(values.get(1).get("values").propertyNames())
                .containsExactlyInAnyOrder("average", "sum", "count", "last", "max", "min", "rate");
    }

    @Test
    void returnsItsMetrics() throws Exception {
        JsonNode metrics = served.get("/state/v1/metrics").json();

        assertThat(metrics.propertyNames()).containsExactly("time", "status", "metrics");
        for (JsonNode metric : metrics.at("/metrics/values")) {
            assertThat(metric.propertyNames()).startsWith("name", "values");
        }
        Answer text = served.get("/state/v1/metrics?format=prometheus");
        assertThat(text.header("Content-Type")).startsWith("text/plain; version=0.0.4");
        assertThat(text.body()).startsWith("#");
        assertPrometheus(text.body());
        assertThat(served.get("/state/v1/metrics/histograms").header("Content-Type"))
                .startsWith("text/plain");
    }

    private static void assertPrometheus(String text) {
        for (String line : text.lines().toList()) {
            if (!line.startsWith("#") && !line.isEmpty()) {
                assertThat(line)
                        .matches(
                                "[a-zA-Z_][a-zA-Z0-9_]*(\\{([a-zA-Z0-9_]+=\"[^\"]*\",?)*})?"
                                        + " [-+0-9.eENaInf]+ [0-9]+");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"/metrics/v1", "/metrics/v2", "/prometheus/v1"})
    void listsWhatMetricsThereAre(String root) throws Exception {
        Answer answer = served.get(root);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().get("resources").get(0).get("url").asString())
                .isEqualTo(served.container(root + "/values").toString());
        Answer nothing = served.get(root + "/nothere");
        assertThat(nothing.status()).isEqualTo(404);
        assertThat(nothing.json().propertyNames()).containsExactly("error");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?consumer=default", "?consumer=Vespa", "?consumer=nobody"})
    void returnsMetricsOfServices(String query) throws Exception {
        JsonNode services = served.get("/metrics/v1/values" + query).json().get("services");
        assertServices(services);
        JsonNode nodes = served.get("/metrics/v2/values" + query).json().get("nodes");
        assertThat(nodes.size()).isEqualTo(1);
        assertThat(nodes.get(0).get("hostname").asString()).isNotEmpty();
        assertThat(nodes.get(0).get("role").asString()).startsWith("hosts/");
        assertServices(nodes.get(0).get("services"));

        Answer text = served.get("/prometheus/v1/values" + query);
        assertThat(text.header("Content-Type")).startsWith("text/plain; version=0.0.4");
        assertPrometheus(text.body());
        assertThat(text.body()).contains("vespa_container_status{} 1 ");
    }

    private static void assertServices(JsonNode services) {
        List<String> names =
                services.valueStream().map(each -> each.get("name").asString()).toList();
        assertThat(names).contains("vespa.container", "vespa.searchnode", "vespa.distributor");
        for (JsonNode service : services) {
            assertThat(service.propertyNames())
                    .containsExactly("name", "timestamp", "status", "metrics");
            assertThat(service.at("/status/code").asString()).isEqualTo("up");
            for (JsonNode metric : service.get("metrics")) {
                assertThat(metric.get("values").isEmpty()).isFalse();
                assertThat(metric.has("dimensions")).isTrue();
            }
        }
    }
}
