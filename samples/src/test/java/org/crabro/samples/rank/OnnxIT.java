package org.crabro.samples.rank;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Scores documents by ONNX models of the package, in each phase. */
class OnnxIT {
    private static final Path MODELS =
            Path.of(
                    System.getProperty("crabro.root"),
                    "ranking/src/test/resources/org/crabro/ranking/onnx");

    private static final String SCHEMA =
            """
            schema note {
              document note {
                field number type int { indexing: attribute | summary }
                field features type tensor<float>(x[16]) { indexing: attribute }
                field place type tensor<float>(d0[1],d1[3]) { indexing: attribute }
              }
              onnx-model ranker {
                file: models/mlp.onnx
                input features: rows
                output score: rank
                intraop-threads: 1
              }
              onnx-model pair {
                file: models/pair.onnx
                input query: query(here)
                input document: attribute(place)
              }
              rank-profile base {
                inputs { query(here) tensor<float>(d0[1],d1[3]) }
                function rows() { expression: attribute(features) * tensor(d0[1])(1) }
                function ranked() { expression: sum(onnx(ranker).rank) }
                match-features: ranked onnx(pair).dot onnx(pair).the_sum
              }
              rank-profile first inherits base {
                first-phase { expression: onnx(ranker){d0:0,d1:0} }
              }
              rank-profile second inherits base {
                first-phase { expression: attribute(number) }
                second-phase {
                  expression: ranked * 2
                  rerank-count: 3
                }
              }
              rank-profile global inherits base {
                first-phase { expression: attribute(number) }
                global-phase { expression: sum(onnxModel(pair).dot) + normalize_linear(ranked) }
              }
            }
            """;

    @TempDir Path directory;

    private final List<Double> scores = new ArrayList<>();
    private final Http http = new Http();
    private CrabroServer server;

    @BeforeEach
    void start() throws Exception {
        Path application = directory.resolve("application");
        Files.createDirectories(application.resolve("models"));
        Files.createDirectories(application.resolve("schemas"));
        Files.writeString(application.resolve("services.xml"), NotesApplication.SERVICES);
        Files.writeString(application.resolve("schemas/note.sd"), SCHEMA);
        for (String model : List.of("mlp.onnx", "pair.onnx")) {
            Files.copy(MODELS.resolve(model), application.resolve("models").resolve(model));
        }
        server = CrabroServer.start(TestSettings.onAnyPorts(directory.resolve("data")));
        ok(
                http.post(
                        server.config()
                                .resolve("/application/v2/tenant/default/prepareandactivate"),
                        "application/zip",
                        Http.zip(application)));
        feed();
    }

    /** Each document has what a line of NumPy's results was computed from. */
    private void feed() throws Exception {
        try (Stream<String> lines = Files.lines(MODELS.resolve("expected.csv"))) {
            for (String line : lines.filter(each -> each.startsWith("mlp,")).toList()) {
                String[] parts = line.split(",", -1);
                int number = scores.size();
                scores.add(Double.parseDouble(parts[2]));
                ok(
                        http.post(
                                server.container().resolve("/document/v1/n/note/group/g/" + number),
                                "application/json",
                                "{\"fields\":{\"number\":%d,\"features\":[%s],\"place\":[%d,1,2]}}"
                                        .formatted(number, parts[1].replace(' ', ','), number)
                                        .getBytes(UTF_8)));
            }
        }
        assertThat(scores).hasSize(4);
    }

    @AfterEach
    void stop() {
        server.close();
        http.close();
    }

    @Test
    void ranksInTheFirstPhase() throws Exception {
        JsonNode hits = search("first");

        assertThat(numbers(hits)).containsExactlyElementsOf(best(List.of(0, 1, 2, 3)));
        for (JsonNode hit : hits) {
            assertThat(hit.get("relevance").asDouble())
                    .isCloseTo(scores.get(number(hit)), within(1e-4));
        }
    }

    @Test
    void ranksTheBestAgainInTheSecondPhase() throws Exception {
        JsonNode hits = search("second");

        assertThat(numbers(hits).subList(0, 3)).containsExactlyElementsOf(best(List.of(1, 2, 3)));
        for (int i = 0; i < 3; i++) {
            assertThat(hits.get(i).get("relevance").asDouble())
                    .isCloseTo(2 * scores.get(number(hits.get(i))), within(1e-4));
        }
    }

    @Test
    void ranksInTheGlobalPhase() throws Exception {
        JsonNode hits = search("global");

        double min = scores.stream().min(Double::compare).orElseThrow();
        double max = scores.stream().max(Double::compare).orElseThrow();
        for (JsonNode hit : hits) {
            int number = number(hit);
            double linear = 0.5 + (scores.get(number) - (min + max) / 2) / (max - min);
            assertThat(hit.get("relevance").asDouble())
                    .isCloseTo(1 * number + 2 * 1 + 3 * 2 + linear, within(1e-4));
        }
        assertThat(hits).hasSize(4);
    }

    @Test
    void showsWhatModelsGive() throws Exception {
        for (JsonNode hit : search("first")) {
            int number = number(hit);
            JsonNode features = hit.get("fields").get("matchfeatures");

            assertThat(features.get("ranked").asDouble())
                    .isCloseTo(scores.get(number), within(1e-4));
            assertThat(features.get("onnx(pair).dot").toString())
                    .isEqualTo(
                            "{\"type\":\"tensor<float>(d0[1],d1[1])\",\"values\":[[%s]]}"
                                    .formatted(number + 8.0));
            assertThat(features.get("onnx(pair).the_sum").toString())
                    .isEqualTo(
                            "{\"type\":\"tensor<float>(d0[1],d1[3])\",\"values\":[[%s,3.0,5.0]]}"
                                    .formatted(number + 1.0));
        }
    }

    private List<Integer> best(List<Integer> of) {
        return of.stream().sorted((a, b) -> Double.compare(scores.get(b), scores.get(a))).toList();
    }

    private static List<Integer> numbers(JsonNode hits) {
        var numbers = new ArrayList<Integer>();
        hits.forEach(hit -> numbers.add(number(hit)));
        return numbers;
    }

    private static int number(JsonNode hit) {
        return hit.get("fields").get("number").asInt();
    }

    private JsonNode search(String profile) throws Exception {
        return ok(http.get(
                        server.container()
                                .resolve(
                                        "/search/?streaming.groupname=g&timeout=60s&ranking=%s&input.query(here)=%s&yql=%s"
                                                .formatted(
                                                        profile,
                                                        URLEncoder.encode("[[1,2,3]]", UTF_8),
                                                        URLEncoder.encode(
                                                                "select * from note where true",
                                                                UTF_8)))))
                .get("root")
                .get("children");
    }

    private static JsonNode ok(Http.Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body();
    }
}
