package org.crabro.samples.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * What a rank profile says of fields and features, over HTTP: native scores against what {@code
 * rank-settings.py} makes of their definitions, and which features hits come with.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RankSettingsIT {
    private static final String SCHEMA =
            """
            schema note {
              document note {
                field title type string { indexing: index | summary }
                field body type string { indexing: index }
                field labels type weightedset<string> { indexing: attribute }
                field parts type tensor<float>(part{},x[2]) { indexing: attribute }
              }
              document-summary bare { summary title { } omit-summary-features }
              rank-profile plain {
                inputs { query(q) tensor<float>(x[2]) }
                match-features: nativeFieldMatch nativeProximity nativeAttributeMatch nativeRank
                rank-properties { ranking.statistics: none }
              }
              rank-profile weighted inherits plain { weight body: 50  weight labels: 400 }
              rank-profile weightless inherits plain { weight body: 0 }
              rank-profile filtered inherits plain { rank title: filter }
              rank-profile identity inherits plain { rank-type title: identity  rank-type body: identity }
              rank-profile tagged inherits plain { rank-type labels: tags }
              rank-profile emptied inherits plain { rank-type title: empty  rank-type labels: empty }
              rank-profile tables inherits plain {
                rank-properties {
                  nativeFieldMatch.firstOccurrenceTable.title: "linear(-2,100,20)"
                  nativeFieldMatch(body).occurrenceCountTable: "expdecay(10,2)"
                  nativeProximity.proximityTable: "linear(-1,50,10)"
                  nativeProximity(body).reverseProximityTable: "loggrowth(3,1,2,30)"
                  nativeAttributeMatch.weightTable.labels: "loggrowth(10,1,2,5)"
                }
              }
              rank-profile parts inherits plain {
                rank-properties {
                  nativeRank.fieldMatchWeight: 3
                  nativeRank.proximityWeight: 2
                  nativeRank.attributeMatchWeight: 1
                  nativeFieldMatch(title).firstOccurrenceImportance: 0.25
                  nativeFieldMatch(title).averageFieldLength: 9
                  nativeFieldMatch.minFieldLength: 2
                  nativeProximity.proximityImportance: 0.75
                }
              }
              rank-profile raw inherits plain {
                rank-properties { nativeRank.useTableNormalization: false }
              }
              rank-profile shows inherits plain {
                function twice() { expression: 2 * fieldLength(title) }
                match-features: matches(title)
                summary-features: twice matches(body)
                rank-features: twice bm25(body)
              }
              rank-profile few inherits shows {
                ignore-default-rank-features
              }
              rank-profile near inherits plain {
                first-phase { expression: closeness(field, parts) }
                match-features: distance(label, l) closest(parts) rawScore(parts) itemRawScore(l)
              }
            }
            """;

    private static final String WORDS =
            "rank(true, {weight:200}(title contains \"red\"), body contains \"red\","
                    + " body contains \"x\", labels contains \"red\")";

    private final Http http = new Http();
    private CrabroServer server;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        server = CrabroServer.start(TestSettings.onAnyPorts(data));
        byte[] zip =
                Http.zip(
                        Map.of(
                                "services.xml",
                                NotesApplication.SERVICES,
                                "schemas/note.sd",
                                SCHEMA));
        URI deploy = server.config().resolve("/application/v2/tenant/default/prepareandactivate");
        Http.Answer deployed = http.post(deploy, "application/zip", zip);
        assertThat(deployed.status()).as("%s", deployed).isEqualTo(200);
        put(
                1,
                """
                "title":"red b c d e f g","body":"red red x","labels":{"red":7,"blue":2},\
                "parts":{"a":[3,4],"b":[1,0]}\
                """);
        put(
                2,
                """
                "title":"b red","body":"y x red","labels":{"red":-3},\
                "parts":{"a":[0,2],"b":[6,8]}\
                """);
        put(3, "\"title\":\"b\",\"body\":\"z\",\"labels\":{\"blue\":1}");
    }

    private void put(int number, String fields) throws Exception {
        Http.Answer put =
                http.post(
                        server.container().resolve("/document/v1/n/note/group/g/" + number),
                        "application/json",
                        "{\"fields\":{%s}}".formatted(fields).getBytes(StandardCharsets.UTF_8));
        assertThat(put.status()).as("%s", put).isEqualTo(200);
    }

    @AfterAll
    void stop() {
        server.close();
        http.close();
    }

    @Test
    void nativeScoresAreWhatTheProfileMakesOfThem() throws Exception {
        var features = new HashMap<String, Map<String, JsonNode>>();
        try (InputStream file =
                Objects.requireNonNull(
                        RankSettingsIT.class.getResourceAsStream("rank-settings.txt"))) {
            List<String> lines =
                    new String(file.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
            for (String line : lines) {
                String[] parts = line.split("\t", -1);
                if (!features.containsKey(parts[0])) {
                    features.put(parts[0], hits(WORDS, "&ranking=" + parts[0]));
                }
                JsonNode hit =
                        Objects.requireNonNull(
                                Objects.requireNonNull(features.get(parts[0])).get(parts[1]));
                double expected = Double.parseDouble(parts[3]);
                assertThat(hit.path("fields").path("matchfeatures").path(parts[2]).doubleValue())
                        .as(line)
                        .isCloseTo(expected, within(1e-9 * Math.max(1, Math.abs(expected))));
                if (parts[2].equals("nativeRank")) {
                    // Nobody says a first phase.
                    assertThat(hit.path("relevance").doubleValue())
                            .as(line)
                            .isCloseTo(expected, within(1e-9 * Math.max(1, Math.abs(expected))));
                }
            }
        }
        assertThat(features).hasSize(10);
    }

    @Test
    void hitsComeWithTheFeaturesThatAreAsked() throws Exception {
        JsonNode plain = hit(WORDS, "&ranking=shows");
        assertThat(plain.path("matchfeatures").toString()).isEqualTo("{\"matches(title)\":1.0}");
        assertThat(plain.path("summaryfeatures").toString())
                .isEqualTo("{\"twice\":14.0,\"matches(body)\":1.0}");
        assertThat(plain.has("rankfeatures")).isFalse();

        JsonNode listed = hit(WORDS, "&ranking=shows&ranking.listFeatures=true");
        JsonNode features = listed.path("rankfeatures");
        assertThat(features.path("twice").doubleValue()).isEqualTo(14);
        assertThat(features.path("queryTermCount").doubleValue()).isEqualTo(4);
        assertThat(features.path("fieldMatch(title).matches").doubleValue()).isEqualTo(1);
        assertThat(features.path("fieldTermMatch(body,1).occurrences").doubleValue()).isEqualTo(2);
        assertThat(features.path("attributeMatch(labels).matches").doubleValue()).isEqualTo(1);
        assertThat(features.size()).isGreaterThan(60);

        JsonNode few = hit(WORDS, "&ranking=few&rankfeatures=true").path("rankfeatures");
        assertThat(few.propertyNames()).containsExactly("twice", "bm25(body)");
        double idf = Math.log(1 + 0.5 / 1.5);
        double bm25 = 0;
        for (int times : List.of(2, 1)) {
            bm25 += idf * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * 3 / 100));
        }
        assertThat(few.path("bm25(body)").doubleValue()).isCloseTo(bm25, within(1e-12));
    }

    /**
     * The query's value stands wherever the feature does; other queries see what documents have.
     */
    @Test
    void aQuerySaysWhatAFeatureComesTo() throws Exception {
        JsonNode given =
                hit(
                        WORDS,
                        "&ranking=shows&rankfeature.fieldLength(title)=20"
                                + "&ranking.features.matches(body)=0.25&input.bm25(body)=3");
        assertThat(given.path("summaryfeatures").toString())
                .isEqualTo("{\"twice\":40.0,\"matches(body)\":0.25}");
        assertThat(given.path("matchfeatures").toString()).isEqualTo("{\"matches(title)\":1.0}");

        assertThat(hit(WORDS, "&ranking=shows").path("summaryfeatures").toString())
                .isEqualTo("{\"twice\":14.0,\"matches(body)\":1.0}");
        Map<String, JsonNode> scored = hits(WORDS, "&ranking=plain&rankfeature.nativeRank=7");
        assertThat(scored.values())
                .allSatisfy(hit -> assertThat(hit.path("relevance").doubleValue()).isEqualTo(7));
    }

    @Test
    void aSummaryLeavesSummaryFeaturesOut() throws Exception {
        JsonNode bare = hit(WORDS, "&ranking=shows&presentation.summary=bare");

        assertThat(bare.has("summaryfeatures")).isFalse();
        assertThat(bare.path("matchfeatures").toString()).isEqualTo("{\"matches(title)\":1.0}");
    }

    /** The nearest part of a document decides: 2 from the first, the root of 5 from the second. */
    @Test
    void theNearestVectorOfADocumentIsWithinAThreshold() throws Exception {
        String near = "({targetHits:10,label:\"l\",distanceThreshold:%s}nearestNeighbor(parts,q))";
        String q = "&ranking=near&input.query(q)=[1,4]";

        // From [1, 4]: [3, 4] is 2 away and [1, 0] is 4; [0, 2] is the root of 5, [6, 8] of 41.
        assertThat(hits(near.formatted("1.9"), q)).isEmpty();
        assertThat(hits(near.formatted("2.0"), q)).containsOnlyKeys("1");
        assertThat(hits(near.formatted("2.3"), q)).containsOnlyKeys("1", "2");
        JsonNode features = hit(near.formatted("2.0"), q).path("matchfeatures");
        assertThat(features.path("distance(label,l)").doubleValue()).isEqualTo(2);
        assertThat(features.path("closest(parts)").path("cells").toString())
                .isEqualTo("{\"a\":1.0}");
        assertThat(features.path("rawScore(parts)").doubleValue()).isCloseTo(1.0 / 3, within(1e-7));
        assertThat(features.path("itemRawScore(l)").doubleValue()).isCloseTo(1.0 / 3, within(1e-7));
    }

    /** Returns the fields of the first document. */
    private JsonNode hit(String where, String more) throws Exception {
        return Objects.requireNonNull(hits(where, more).get("1")).path("fields");
    }

    /** Returns hits by what their documents are called. */
    private Map<String, JsonNode> hits(String where, String more) throws Exception {
        String yql = "select title from note where " + where;
        URI uri =
                server.container()
                        .resolve(
                                "/search/?timeout=60s&streaming.groupname=g&yql="
                                        + URLEncoder.encode(yql, StandardCharsets.UTF_8)
                                        + more.replace("[", "%5B").replace("]", "%5D"));
        Http.Answer answer = http.get(uri);
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        var hits = new HashMap<String, JsonNode>();
        for (JsonNode hit : answer.body().path("root").path("children")) {
            String title = hit.path("fields").path("title").stringValue();
            hits.put(title.startsWith("red") ? "1" : title.endsWith("red") ? "2" : "3", hit);
        }
        return hits;
    }
}
