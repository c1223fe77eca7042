package org.crabro.samples.rank;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Scores documents by trees that XGBoost saved, and gives what it predicts. */
class SavedTreesIT {
    private static final Path MODELS =
            Path.of(
                    System.getProperty("crabro.root"),
                    "ranking/src/test/resources/org/crabro/ranking/forest");

    private static final int ROWS = 20;

    /** The model knows its features by their numbers alone. */
    private static final String SCHEMA =
            """
            schema note {
              document note {
                field number type int { indexing: attribute | summary }
                field f0 type float { indexing: attribute }
                field f1 type float { indexing: attribute }
                field f2 type float { indexing: attribute }
                field f3 type float { indexing: attribute }
              }
              rank-profile saved {
                function xgboost_input_0() { expression: attribute(f0) }
                function xgboost_input_1() { expression: attribute(f1) }
                function xgboost_input_2() { expression: attribute(f2) }
                function xgboost_input_3() { expression: attribute(f3) }
                first-phase { expression: xgboost("saved.ubj") }
              }
            }
            """;

    @TempDir Path directory;

    private final Http http = new Http();

    @AfterEach
    void stop() {
        http.close();
    }

    @Test
    void givesWhatXgboostPredicts() throws Exception {
        Path application = directory.resolve("application");
        Files.createDirectories(application.resolve("models"));
        Files.createDirectories(application.resolve("schemas"));
        Files.writeString(application.resolve("services.xml"), NotesApplication.SERVICES);
        Files.writeString(application.resolve("schemas/note.sd"), SCHEMA);
        Files.copy(
                MODELS.resolve("xgboost-reg-squarederror.ubj"),
                application.resolve("models/saved.ubj"));
        List<String> rows =
                Files.readAllLines(MODELS.resolve("xgboost-reg-squarederror.csv"))
                        .subList(1, ROWS + 1);
        try (CrabroServer server =
                CrabroServer.start(TestSettings.onAnyPorts(directory.resolve("data")))) {
            ok(
                    http.post(
                            server.config()
                                    .resolve("/application/v2/tenant/default/prepareandactivate"),
                            "application/zip",
                            Http.zip(application)));
            for (int i = 0; i < ROWS; i++) {
                var fields = new StringBuilder("\"number\":").append(i);
                String[] cells = rows.get(i).split(",", -1);
                IntStream.range(0, 4)
                        .filter(cell -> !cells[cell].isEmpty())
                        .forEach(cell -> fields.append(",\"f%d\":%s".formatted(cell, cells[cell])));
                ok(
                        http.post(
                                server.container().resolve("/document/v1/n/note/group/g/" + i),
                                "application/json",
                                ("{\"fields\":{" + fields + "}}").getBytes(UTF_8)));
            }

            JsonNode hits =
                    ok(http.get(
                                    server.container()
                                            .resolve(
                                                    "/search/?yql=select+*+from+note+where+true"
                                                            + "&streaming.groupname=g&ranking=saved&hits="
                                                            + ROWS)))
                            .path("root")
                            .path("children");
            assertThat(hits).hasSize(ROWS);
            for (JsonNode hit : hits) {
                String[] row = rows.get(hit.path("fields").path("number").asInt()).split(",", -1);
                assertThat(hit.path("relevance").asDouble())
                        .as("%s", hit)
                        .isCloseTo(Double.parseDouble(row[4]), within(2e-6));
            }
        }
    }

    private static JsonNode ok(Http.Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body();
    }
}
