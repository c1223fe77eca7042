package org.crabro.samples.rank;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.crabro.samples.fixture.ServedPackage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Ranks documents in three phases, and asks for other counts and limits than the profile's. */
class PhasesIT {
    private static final String SCHEMA =
            """
            schema note {
              document note {
                field text type string { indexing: index | summary }
                field year type int { indexing: attribute | summary }
                field price type int { indexing: attribute | summary }
              }
              rank-profile late {
                function year() { expression: attribute(year) }
                first-phase { expression: year }
                second-phase {
                  expression: firstPhase + 100 * attribute(price)
                  rerank-count: 2
                }
              }
              rank-profile placed {
                match-features: firstPhaseRank firstPhaseMax
                first-phase { expression: attribute(year) }
                second-phase {
                  expression: if (firstPhaseRank > 1, 100 * firstPhaseRank + firstPhaseMax, 0)
                  rerank-count: 3
                }
              }
              rank-profile every {
                first-phase { expression: attribute(year) }
                second-phase { expression: attribute(price) }
              }
              rank-profile timed {
                first-phase { expression: now }
                second-phase { expression: firstPhase + 10 * now }
                global-phase { expression: relevanceScore + 100 * now }
              }
              rank-profile fused {
                match-features: attribute(year)
                first-phase { expression: attribute(year) }
                global-phase {
                  expression: normalize_linear(attribute(price)) + relevanceScore / 1000
                }
              }
            }
            """;

    @TempDir Path data;

    private ServedPackage served;

    @BeforeEach
    void start() throws Exception {
        served = ServedPackage.ofNotes(data, SCHEMA);
        int[][] notes = {{1, 0}, {2, 50}, {3, 10}, {4, 20}};
        for (int[] note : notes) {
            served.write(
                    "/document/v1/n/note/group/g/" + note[0],
                    "\"text\":\"a note\",\"year\":%d,\"price\":%d".formatted(note[0], note[1]));
        }
    }

    @AfterEach
    void stop() {
        served.close();
    }

    @Test
    void scoresTheBestAgain() throws Exception {
        assertThat(years("late", "")).containsExactly(4, 3, 2, 1);
        assertThat(years("late", "&ranking.secondPhase.rerankCount=3")).containsExactly(2, 4, 3, 1);
        assertThat(years("late", "&ranking.rerankCount=0&ranking.rankScoreDropLimit=2"))
                .containsExactly(4, 3);
        assertThat(years("every", "")).containsExactly(2, 4, 3, 1);
        assertThat(years("every", "&ranking.secondPhase.rankScoreDropLimit=10"))
                .containsExactly(2, 4);
    }

    @Test
    void passesRanksOfTheFirstPhaseToTheSecond() throws Exception {
        JsonNode root = root("placed", "");

        assertThat(years(root)).containsExactly(2, 3, 4, 1);
        JsonNode best = root.path("children").path(0);
        assertThat(best.path("relevance").asDouble()).isEqualTo(304);
        assertThat(best.path("fields").path("matchfeatures").toString())
                .isEqualTo("{\"firstPhaseRank\":1.7976931348623157E308,\"firstPhaseMax\":null}");
    }

    @Test
    void ranksInTheContainerAgain() throws Exception {
        JsonNode root = root("fused", "");

        assertThat(years(root)).containsExactly(2, 4, 3, 1);
        JsonNode best = root.path("children").path(0);
        assertThat(best.path("relevance").asDouble()).isEqualTo(1.002);
        assertThat(best.path("fields").path("matchfeatures").toString())
                .isEqualTo("{\"attribute(year)\":2.0}");
        assertThat(years("fused", "&ranking.globalPhase.rerankCount=0"))
                .containsExactly(4, 3, 2, 1);
        JsonNode dropped = root("fused", "&ranking.globalPhase.rankScoreDropLimit=0.3");
        assertThat(years(dropped)).containsExactly(2, 4);
        assertThat(dropped.path("fields").path("totalCount").asInt()).isEqualTo(2);
    }

    @Test
    void theRankPropertyOfTheTimeHoldsInEveryPhase() throws Exception {
        JsonNode root = root("timed", "&rankproperty.vespa.now=7&ranking.freshness=9");

        assertThat(root.path("children").path(0).path("relevance").asDouble()).isEqualTo(777);
    }

    @Test
    void refusesToSortWhatTheContainerRanks() throws Exception {
        ServedPackage.Answer answer = search("fused", "&sorting=year");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.toString()).contains("'fused' has a global-phase");
        assertThat(years("fused", "&sorting=-[rank]")).containsExactly(2, 4, 3, 1);
    }

    private List<Integer> years(String profile, String more) throws Exception {
        return years(root(profile, more));
    }

    private static List<Integer> years(JsonNode root) {
        var years = new ArrayList<Integer>();
        for (JsonNode child : root.path("children")) {
            years.add(child.path("fields").path("year").asInt());
        }
        return years;
    }

    private JsonNode root(String profile, String more) throws Exception {
        ServedPackage.Answer answer = search(profile, more);
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        return answer.json().path("root");
    }

    private ServedPackage.Answer search(String profile, String more) throws Exception {
        return served.search(
                "g",
                "select * from note where text contains \"note\"",
                "&ranking=" + profile + more);
    }
}
