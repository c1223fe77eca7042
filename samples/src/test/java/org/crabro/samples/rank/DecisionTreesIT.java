package org.crabro.samples.rank;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.crabro.samples.fixture.ServedPackage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Scores documents by decision trees that stand in files of the package. */
class DecisionTreesIT {
    private static final String SCHEMA =
            """
            schema note {
              document note {
                field text type string { indexing: index | summary }
                field year type int { indexing: attribute | summary }
                field color type string { indexing: attribute | summary }
              }
              rank-profile recent {
                function age() { expression: 2030 - attribute(year) }
                match-features: xgboost("year.json") bm25(text)
                first-phase { expression: 10 * xgboost("year.json") }
              }
              rank-profile colored {
                first-phase { expression: lightgbm("color.json") }
              }
              rank-profile lambda {
                first-phase { expression: lightgbm("lambda.json") }
              }
              rank-profile squared {
                first-phase { expression: lightgbm("squared.json") }
              }
              rank-profile late {
                first-phase { expression: attribute(year) }
                global-phase { expression: lightgbm("color.json") + xgboost("year.json") }
                function age() { expression: 2030 - attribute(year) }
              }
            }
            """;

    /** 1 up to five years of age, else 3 where the word is found, 2 where it is not. */
    private static final String YEAR =
            """
            [{"nodeid": 0, "split": "age", "split_condition": 5.5, "yes": 1, "no": 2, "missing": 2, "children": [
              {"nodeid": 1, "leaf": 1},
              {"nodeid": 2, "split": "matches(text)", "split_condition": 0.5, "yes": 3, "no": 4, "missing": 3, "children": [
                {"nodeid": 3, "leaf": 2}, {"nodeid": 4, "leaf": 3}]}]}]
            """;

    /** The logarithm of the odds: 2 for red and green, else -2. */
    private static final String COLOR =
            """
            {"objective": "binary sigmoid:1", "feature_names": ["attribute(color)"],
             "pandas_categorical": [["blue", "green", "red"]],
             "tree_info": [{"tree_structure": {"split_feature": 0, "decision_type": "==", "threshold": "1||2",
               "default_left": false, "left_child": {"leaf_value": 2}, "right_child": {"leaf_value": -2}}}]}
            """;

    @TempDir Path data;

    private ServedPackage served;

    @BeforeEach
    void start() throws Exception {
        served =
                ServedPackage.ofNotes(
                        data,
                        Map.of(
                                "schemas/note.sd", SCHEMA,
                                "models/year.json", YEAR,
                                "models/color.json", COLOR,
                                "models/lambda.json",
                                        COLOR.replace("binary sigmoid:1", "cross_entropy_lambda"),
                                "models/squared.json",
                                        COLOR.replace("binary sigmoid:1", "regression sqrt")));
        String[] colors = {"red", "blue", "green"};
        for (int i = 0; i < colors.length; i++) {
            served.write(
                    "/document/v1/n/note/group/g/" + i,
                    "\"text\":\"a note\",\"year\":%d,\"color\":\"%s\""
                            .formatted(2028 - 2 * i, colors[i]));
        }
    }

    @AfterEach
    void stop() {
        served.close();
    }

    @Test
    void sumsLeavesOfXgboost() throws Exception {
        JsonNode hits = search("select * from note where text contains \"note\"", "recent");

        assertThat(relevances(hits)).containsExactly("2024=30.0", "2028=10.0", "2026=10.0");
        assertThat(
                        hits.path(0)
                                .path("fields")
                                .path("matchfeatures")
                                .path("xgboost(\"year.json\")")
                                .asDouble())
                .isEqualTo(3.0);
        assertThat(relevances(search("select * from note where year < 2025", "recent")))
                .containsExactly("2024=20.0");
    }

    @Test
    void comparesCategoriesOfLightgbm() throws Exception {
        double odds = 1 / (1 + Math.exp(-2));

        assertThat(relevances(search("select * from note where true", "colored")))
                .containsExactly("2028=" + odds, "2024=" + odds, "2026=" + 1 / (1 + Math.exp(2)));
    }

    @Test
    void makesOfASumWhatTheObjectiveDoes() throws Exception {
        double most = Math.log(1 + Math.exp(2));

        assertThat(relevances(search("select * from note where true", "lambda")))
                .containsExactly(
                        "2028=" + most, "2024=" + most, "2026=" + Math.log(1 + Math.exp(-2)));
        assertThat(relevances(search("select * from note where true", "squared")))
                .containsExactly("2028=4.0", "2024=4.0", "2026=-4.0");
    }

    @Test
    void ranksByTreesInTheContainer() throws Exception {
        double odds = 1 / (1 + Math.exp(-2));

        assertThat(relevances(search("select * from note where text contains \"note\"", "late")))
                .containsExactly(
                        "2024=" + (odds + 3),
                        "2028=" + (odds + 1),
                        "2026=" + (1 / (1 + Math.exp(2)) + 1));
    }

    private static List<String> relevances(JsonNode hits) {
        var relevances = new ArrayList<String>();
        for (JsonNode hit : hits) {
            relevances.add(
                    hit.path("fields").path("year").asInt()
                            + "="
                            + hit.path("relevance").asDouble());
        }
        return relevances;
    }

    private JsonNode search(String yql, String profile) throws Exception {
        ServedPackage.Answer answer = served.search("g", yql, "&ranking=" + profile);
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        return answer.json().path("root").path("children");
    }
}
