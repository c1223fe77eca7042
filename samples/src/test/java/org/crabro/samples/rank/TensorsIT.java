package org.crabro.samples.rank;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Ranks by tensors: the example of the page on ranking, and tensors in every phase. */
class TensorsIT {
    private static final String SCHEMA =
            """
            schema song {
              document song {
                field name type string { indexing: index | summary }
                field kind type string { indexing: attribute }
                field vector type tensor<float>(x[2]) { indexing: attribute }
                field topics type tensor(topic{}) { indexing: attribute }
                field parts type tensor<bfloat16>(part{},x[2]) { indexing: attribute }
                field lines type array<string> { indexing: summary }
              }
              document-summary lines {
                summary name {}
                summary best { source: lines select-elements-by: chosen }
              }
              constant table { file: constants/table.json type: tensor(topic{}) }
              rank-profile tokens {
                inputs {
                  query(q) tensor<float>(x[2])
                  query(tastes) tensor(topic{}): {rock:1, jazz:2}
                }
                constants {
                  weights tensor(topic{}): {rock:0.5, folk:2}
                }
                function likeness() { expression: sum(query(q) * attribute(vector)) }
                function topics() { expression: query(tastes) * attribute(topics) * constant(weights) }
                first-phase { expression: likeness + sum(topics) }
                match-features: topics
              }
              rank-profile late inherits tokens {
                inputs {
                  query(tokens) tensor<float>(token{},x[2])
                }
                function maxSim() {
                  expression: sum(reduce(sum(query(tokens) * attribute(parts), x), max, part))
                }
                first-phase { expression: sum(attribute(topics) * constant(table)) }
                second-phase { expression: maxSim }
                match-features {
                  maxSim
                  attribute(vector)
                  attribute(parts)
                  constant(table)
                }
              }
              rank-profile lines inherits tokens {
                function chosen() { expression: top(2, sum(query(q) * attribute(parts), x)) }
                match-features: chosen
              }
              rank-profile summaries inherits lines {
                match-features {}
                summary-features: chosen
              }
              rank-profile kinds {
                inputs { query(kind) string }
                first-phase { expression: if (attribute(kind) == query(kind), 2, 1) }
                global-phase { expression: if (query(kind) == "Waltz", 10, 1) * relevanceScore }
              }
              rank-profile global inherits tokens {
                global-phase { expression: sum(attribute(vector) * query(q)) * relevanceScore }
              }
            }
            """;

    @TempDir Path data;

    private final Http http = new Http();
    private CrabroServer server;

    @BeforeEach
    void start() throws Exception {
        server = CrabroServer.start(TestSettings.onAnyPorts(data));
        byte[] zip =
                Http.zip(
                        Map.of(
                                "services.xml",
                                NotesApplication.SERVICES.replace("note", "song"),
                                "constants/table.json",
                                "{\"cells\":{\"rock\":10,\"jazz\":1}}",
                                "schemas/song.sd",
                                SCHEMA));
        URI deploy = server.config().resolve("/application/v2/tenant/default/prepareandactivate");
        Http.Answer deployed = http.post(deploy, "application/zip", zip);
        assertThat(deployed.status()).as("%s", deployed).isEqualTo(200);
        put(
                1,
                """
                "vector":[1,2],"topics":{"rock":4,"jazz":8},"parts":{"a":[1,0],"b":[0,3]}\
                """);
        put(2, "\"vector\":[3,0],\"topics\":{\"folk\":1,\"rock\":1}");
        put(
                3,
                """
                "lines":["zero","one","two","three"],"parts":{"a":[1,1]}\
                """);
    }

    private void put(int number, String fields) throws Exception {
        Http.Answer put =
                http.post(
                        server.container().resolve("/document/v1/n/song/group/g/" + number),
                        "application/json",
                        "{\"fields\":{\"name\":\"song %d\",%s}}"
                                .formatted(number, fields)
                                .getBytes(StandardCharsets.UTF_8));
        assertThat(put.status()).as("%s", put).isEqualTo(200);
    }

    @AfterEach
    void stop() {
        server.close();
        http.close();
    }

    @Test
    void ranksByTensorsOfFieldsQueriesAndConstants() throws Exception {
        JsonNode hits = hits("tokens", "&input.query(q)=[1,0.5]");

        // 3 + 1 * 1 * 0.5; 1 + 1 + 1 * 4 * 0.5; nothing.
        assertThat(relevances(hits)).isEqualTo("song 1:4.0 song 2:3.5 song 3:0.0 ");
        assertThat(features(hits, 0))
                .isEqualTo("{\"topics\":{\"type\":\"tensor(topic{})\",\"cells\":{\"rock\":2.0}}}");
        assertThat(relevances(hits("tokens", "&input.query(tastes)={folk:3,rock:10}")))
                .isEqualTo("song 1:20.0 song 2:11.0 song 3:0.0 ");
    }

    @Test
    void comparesEveryTokenWithEveryPart() throws Exception {
        JsonNode hits =
                hits(
                        "late",
                        "&presentation.format.tensors=short-value"
                                + "&input.query(tokens)={s:[1,0],t:[1,1]}");

        // max(1, 0) + max(1, 3); 1 + 2.
        assertThat(relevances(hits)).isEqualTo("song 1:4.0 song 3:3.0 song 2:0.0 ");
        assertThat(features(hits, 0))
                .isEqualTo(
                        "{\"maxSim\":4.0,\"attribute(vector)\":[1.0,2.0],"
                                + "\"attribute(parts)\":{\"a\":[1.0,0.0],\"b\":[0.0,3.0]},"
                                + "\"constant(table)\":{\"jazz\":1.0,\"rock\":10.0}}");
    }

    @Test
    void showsTheElementsThatAFeatureSelects() throws Exception {
        put(
                4,
                """
                "lines":["zero","one","two","three"],\
                "parts":{"0":[1,0],"1":[0,3],"2":[0.5,0],"3":[2,0]}\
                """);
        String wanted = "&presentation.summary=lines&input.query(q)=";

        // Of the other songs with lines no label is the number of one.
        assertThat(shown(hits("lines", wanted + "[1,0]"))).isEqualTo("[zero three]");
        assertThat(shown(hits("lines", wanted + "[1,1]"))).isEqualTo("[one three]");
        assertThat(shown(hits("summaries", wanted + "[1,1]"))).isEqualTo("[one three]");
        assertThat(shown(hits("tokens", wanted + "[1,1]"))).isEmpty();
    }

    private static String shown(JsonNode hits) {
        var text = new StringBuilder();
        for (JsonNode hit : hits) {
            JsonNode best = hit.path("fields").path("best");
            if (!best.isMissingNode()) {
                text.append(best);
            }
        }
        return text.toString().replace("\"", "").replace(",", " ");
    }

    @Test
    void comparesTextsOfTheQueryWithTextsOfFields() throws Exception {
        put(4, "\"kind\":\"Waltz\"");
        put(5, "\"kind\":\"waltz\"");
        put(6, "\"kind\":\"Foxtrot, slow\"");

        assertThat(relevances(hits("kinds", "&input.query(kind)=Waltz")))
                .startsWith("song 4:20.0 ")
                .contains("song 5:10.0 ");
        assertThat(relevances(hits("kinds", "&input.query(kind)=%27Waltz")))
                .isEqualTo(relevances(hits("kinds", "&input.query(kind)=Waltz")));
        assertThat(relevances(hits("kinds", "&input.query(kind)=Foxtrot,+slow")))
                .startsWith("song 6:2.0 song 1:1.0 ");
        assertThat(relevances(hits("kinds", "&ranking.globalPhase.rerankCount=0")))
                .startsWith("song 1:1.0 ");
    }

    @Test
    void ranksByTensorsInTheContainer() throws Exception {
        JsonNode hits = hits("global", "&input.query(q)=[1,0.5]");

        assertThat(relevances(hits)).isEqualTo("song 2:10.5 song 1:8.0 song 3:0.0 ");
    }

    @Test
    void refusesInputsThatDoNotFit() throws Exception {
        Http.Answer answer = search("tokens", "&input.query(tastes)=[1,2]");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.toString()).contains("Could not set 'query(tastes)'");
    }

    private static String relevances(JsonNode hits) {
        var text = new StringBuilder();
        for (JsonNode hit : hits) {
            text.append(hit.path("fields").path("name").asString())
                    .append(':')
                    .append(hit.path("relevance").asDouble())
                    .append(' ');
        }
        return text.toString();
    }

    private static String features(JsonNode hits, int hit) {
        return hits.path(hit).path("fields").path("matchfeatures").toString();
    }

    private JsonNode hits(String profile, String more) throws Exception {
        Http.Answer answer = search(profile, more);
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        return answer.body().path("root").path("children");
    }

    private Http.Answer search(String profile, String more) throws Exception {
        String inputs =
                more.replace("{", "%7B")
                        .replace("}", "%7D")
                        .replace("[", "%5B")
                        .replace("]", "%5D");
        return http.get(
                server.container()
                        .resolve(
                                "/search/?timeout=60s&yql="
                                        + URLEncoder.encode(
                                                "select * from song where true",
                                                StandardCharsets.UTF_8)
                                        + "&streaming.groupname=g&ranking="
                                        + profile
                                        + inputs));
    }
}
