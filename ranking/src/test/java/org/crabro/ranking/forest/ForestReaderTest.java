package org.crabro.ranking.forest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Models of the libraries give the libraries' own predictions; invalid models are rejected. */
class ForestReaderTest {
    private static final ForestLimits SMALL = new ForestLimits(1_000, 5, 3);

    /** Predictions of XGBoost are sums of floats; those of LightGBM sums of doubles. */
    @ParameterizedTest
    @CsvSource({
        "xgboost, SUM, 2e-6",
        "xgboost-reg-squarederror, SUM, 2e-6",
        "xgboost-binary-logistic, SIGMOID, 2e-7",
        "xgboost-count-poisson, EXP, 5e-6",
        "xgboost-binary-logitraw, SUM, 2e-6",
        "xgboost-dart, SUM, 2e-6",
        "xgboost-saved, SIGMOID, 2e-7",
        "xgboost-categories, SUM, 2e-6",
        "lightgbm-averaged, SIGMOID, 1e-14",
        "lightgbm-squared, SQUARE, 1e-13",
        "lightgbm-lambda, SOFTPLUS, 1e-14",
        "lightgbm-binary, SIGMOID, 1e-14",
        "lightgbm-regression, SUM, 1e-14",
        "lightgbm-poisson, EXP, 1e-14"
    })
    void givesWhatTheLibraryPredicts(String name, Forest.Link link, double bound)
            throws IOException {
        List<String> lines = lines(name + ".csv");
        List<String> header = List.of(lines.getFirst().split(",", -1));
        List<String> rows = lines.subList(1, lines.size());

        Forest forest = resource(name);

        double[][] inputs =
                forest.features().stream()
                        .map(feature ->
                                rows.stream()
                                        .mapToDouble(row ->
                                                cell(row.split(",", -1)[header.indexOf(feature)]))
                                        .toArray())
                        .toArray(double[][]::new);
        double[] sums = new double[rows.size()];
        forest.evaluation().evaluate(inputs, rows.size(), sums);
        assertThat(forest.link()).isEqualTo(link);
        assertThat(rows).hasSize(80);
        for (int i = 0; i < sums.length; i++) {
            double predicted =
                    switch (link) {
                        case SUM -> sums[i];
                        case SIGMOID -> 1 / (1 + Math.exp(-sums[i]));
                        case EXP -> Math.exp(sums[i]);
                        case SOFTPLUS -> Math.log1p(Math.exp(sums[i]));
                        case SQUARE -> sums[i] * Math.abs(sums[i]);
                    };
            double expected = Double.parseDouble(rows.get(i).split(",", -1)[header.size() - 1]);
            assertThat(predicted).as("row %d", i).isCloseTo(expected, within(bound));
        }
    }

    @Test
    void featuresThatXgboostKnowsByNumberHaveAName() {
        String json =
                """
                [{"nodeid":0,"split":"7","split_condition":1,"yes":1,"no":2,"missing":2,
                  "children":[{"nodeid":1,"leaf":1},{"nodeid":2,"leaf":2}]}]
                """;

        assertThat(xgboost(json).features()).containsExactly("xgboost_input_7");
    }

    /** The threshold of XGBoost is a float: 0.1 is above it as a double, and on it as a float. */
    @ParameterizedTest
    @CsvSource({"0.1, 2", "0.10000000149011612, 2", "0.09999999, 1", "NaN, 1"})
    void thresholdsOfXgboostAreFloats(double value, double leaf) {
        String json =
                """
                [{"children":[{"leaf":2,"nodeid":8},{"leaf":1,"nodeid":5}],"missing":5,"no":8,"yes":5,
                  "split_condition":0.099999994,"split":"x","nodeid":0}]
                """;

        assertThat(value(xgboost(json), value)).isEqualTo(leaf);
    }

    /** The shortest text of a float is another number as a double: 0.7 is above the float 0.7. */
    @ParameterizedTest
    @CsvSource({"0.699999988079071, 3", "0.6999999284744263, 2", "NaN, 2"})
    void thresholdsOfSavedJsonAreFloats(double value, double leaf) {
        assertThat(value(xgboost(saved("[7E-1,2E0,3E0]", "")), value)).isEqualTo(leaf);
    }

    /** XGBoost up to 2.1 saved NaN as the threshold of splits by categories. */
    @ParameterizedTest
    @CsvSource({"4, 3", "5, 2", "NaN, 2"})
    void categoriesNeedNoThreshold(double value, double leaf) {
        String categories =
                """
                "split_type":[1,0,0],"categories_nodes":[0],"categories_segments":[0],
                "categories_sizes":[1],"categories":[4],
                """;

        assertThat(value(xgboost(saved("[NaN,2E0,3E0]", categories)), value)).isEqualTo(leaf);
    }

    private static String saved(String conditions, String more) {
        return """
        {"learner":{"feature_names":["x"],"objective":{"name":"rank:ndcg"},
          "learner_model_param":{"base_score":"0E0"},
          "gradient_booster":{"name":"gbtree","model":{"trees":[{
            "left_children":[1,-1,-1],"right_children":[2,-1,-1],"split_indices":[0,0,0],%s
            "split_conditions":%s,"default_left":[1,0,0],"loss_changes":[NaN,Infinity,-Infinity]}]}}}}
        """
                .formatted(more, conditions);
    }

    /** Equal values are not below the threshold, other than in LightGBM itself. */
    @ParameterizedTest
    @CsvSource({"0.49, false, 1", "0.5, false, 2", "NaN, false, 2", "NaN, true, 1"})
    void splitsOfLightgbmHoldBelowTheThreshold(double value, boolean defaultLeft, double leaf) {
        String json =
                """
                {"feature_names":["x"],"tree_info":[{"tree_structure":
                  {"split_feature":0,"threshold":0.5,"decision_type":"<=","default_left":%s,
                   "left_child":{"leaf_value":1},"right_child":{"leaf_value":2}}}]}
                """
                        .formatted(defaultLeft);

        assertThat(value(lightgbm(json), value)).isEqualTo(leaf);
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 2", "0, 2, 2", "2, 2, 1", "3, 1, 2", "4, 1, 1", "NaN, 1, 1", "NaN, 2, 2"})
    void categoriesOfXgboostAreNumbers(double value, int missing, double leaf) {
        String json =
                """
                [{"nodeid":0,"split":"x","split_condition":[0,3],"yes":2,"no":1,"missing":%d,
                  "children":[{"nodeid":1,"leaf":1},{"nodeid":2,"leaf":2}]}]
                """
                        .formatted(missing);

        assertThat(value(xgboost(json), value)).isEqualTo(leaf);
    }

    @ParameterizedTest
    @CsvSource({"0, false, 2", "1, false, 1", "3, false, 1", "NaN, false, 2", "NaN, true, 1"})
    void categoriesWithoutNamesAreNumbers(double value, boolean defaultLeft, double leaf) {
        String json =
                """
                {"feature_names":["x"],"pandas_categorical":null,"tree_info":[{"tree_structure":
                  {"split_feature":0,"threshold":"1||3","decision_type":"==","default_left":%s,
                   "left_child":{"leaf_value":1},"right_child":{"leaf_value":2}}}]}
                """
                        .formatted(defaultLeft);

        assertThat(value(lightgbm(json), value)).isEqualTo(leaf);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{\"learner\":{}} | there is no tree",
                "{\"learner\":[]} | line 1, column 12: expected the learner, an object",
                "{\"learner\":{\"gradient_booster\":{\"model\":{\"trees\":[{\"left_children\":[1,\"x\"]}]}}}} |"
                        + " line 1, column 71: expected left_children, a finite number",
                "{\"learner\":{\"gradient_booster\":{\"model\":{\"trees\":[{\"left_children\":[1,1,1,1,1,1]}]}}}}"
                        + " | line 1, column 79: more than 5 nodes",
                "7 | line 1, column 1: expected the trees, an array",
                "[] | line 1, column 2: there is no tree",
                "[3] | line 1, column 2: expected a node of a tree, an object",
                "[{\"leaf\":1}] 2 | line 1, column 14: unexpected content after the model",
                "[{\"leaf\":\"x\"}] | line 1, column 10: expected the value of a leaf, a finite number",
                "[{\"leaf\":NaN}] | line 1, column 10: expected the value of a leaf, a finite number",
                "[{\"nodeid\":0}] | line 1, column 2: a node has a leaf, or a split and its"
                        + " split_condition",
                "[{\"split\":\"x\",\"split_condition\":[1,\"b\"]}] | line 1, column 36: expected the"
                        + " number of a category, a finite number",
                "[{\"split_condition\":1e39}] | line 1, column 21: expected the threshold of a split,"
                        + " a finite float",
                "[{\"split\":\"x\",\"split_condition\":1,\"yes\":1,\"no\":1,\"children\":[{\"nodeid\":1,\"leaf\":1}]}]"
                        + " | line 1, column 2: a split has two children, yes and no",
                "[{\"split\":\"x\",\"split_condition\":1,\"yes\":1,\"no\":3,\"children\":[{\"nodeid\":1,\"leaf\":1}]}]"
                        + " | line 1, column 2: 'no' has to name one of the node's children",
                "[{\"leaf\":1},{\"leaf\":1},{\"leaf\":1},{\"leaf\":1},{\"leaf\":1},{\"leaf\":1}] | line 1,"
                        + " column 57: more than 5 nodes",
                "[{\"children\":[{\"children\":[{\"children\":[{\"leaf\":1}]}]}]}] | line 1, column 41: a"
                        + " tree deeper than 3 nodes",
                "[{\"leaf\":1} | line 1, column 12: no JSON that is well formed: Unexpected end-of-input:"
                        + " expected close marker for Array",
            })
    void refusesWhatIsNoDumpOfXgboost(String json, String problem) {
        assertThatThrownBy(() -> ForestReader.xgboost(stream(json), SMALL, String::length))
                .isInstanceOf(InvalidForestException.class)
                .hasMessage(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '\0',
            value = {
                "[] ~ line 1, column 1: expected a model as dump_model() gives it, an object",
                "{} ~ line 1, column 2: there is no tree: expected tree_info, an array of trees",
                "{\"num_tree_per_iteration\":3} ~ line 1, column 27: a model of several classes has no"
                        + " one score",
                "{\"objective\":\"binary sigmoid:-1\"} ~ line 1, column 14: expected a number above 0"
                        + " after sigmoid:",
                "{\"tree_info\":[{}]} ~ line 1, column 16: a tree has no tree_structure",
                "{\"tree_info\":[{\"tree_structure\":{}}]} ~ line 1, column 33: a node has a leaf_value,"
                        + " or a split_feature, a left_child and a right_child",
                "{\"tree_info\":[{\"tree_structure\":{\"leaf_coeff\":[]}}]} ~ line 1, column 47: linear"
                        + " trees are not read",
                "{\"tree_info\":[{\"tree_structure\":{\"decision_type\":\"<\"}}]} ~ line 1, column 50:"
                        + " expected a decision '<=' or '==', but found '<'",
                "{\"tree_info\":[{\"tree_structure\":{\"threshold\":\"1,2\"}}]} ~ line 1, column 46:"
                        + " expected categories, such as \"0||3\"",
                "{\"tree_info\":[{\"tree_structure\":{\"split_feature\":2,\"threshold\":1,\"left_child\":"
                        + "{\"leaf_value\":1},\"right_child\":{\"leaf_value\":1}}}],\"feature_names\":[\"x\"]}"
                        + " ~ line 1, column 151: a split names the feature 2 of 1 in feature_names",
                "{\"feature_names\":[\"x\"],\"pandas_categorical\":[[],[]],\"tree_info\":"
                        + "[{\"tree_structure\":{\"leaf_value\":1}}]} ~ line 1, column 102: 0 features have"
                        + " categories, but pandas_categorical has 2 lists",
                "{\"feature_names\":[\"x\"],\"pandas_categorical\":[[7]],\"tree_info\":"
                        + "[{\"tree_structure\":{\"split_feature\":0,\"decision_type\":\"==\",\"threshold\":\"1\","
                        + "\"left_child\":{\"leaf_value\":1},\"right_child\":{\"leaf_value\":1}}}]} ~ line 1,"
                        + " column 201: a split names the category 1 of 'x', which has 1",
            })
    void refusesWhatIsNoDumpOfLightgbm(String json, String problem) {
        assertThatThrownBy(() -> ForestReader.lightgbm(stream(json), SMALL, String::length))
                .isInstanceOf(InvalidForestException.class)
                .hasMessage(problem);
    }

    private static double value(Forest forest, double input) {
        double[] sum = new double[1];
        forest.evaluation().evaluate(new double[][] {{input}}, 1, sum);
        return sum[0];
    }

    private static Forest xgboost(String json) {
        return ForestReader.xgboost(stream(json), ForestLimits.DEFAULT, String::length);
    }

    private static Forest lightgbm(String json) {
        return ForestReader.lightgbm(stream(json), ForestLimits.DEFAULT, String::hashCode);
    }

    private static InputStream stream(String json) {
        return new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8));
    }

    private static Forest resource(String name) throws IOException {
        if (ForestReaderTest.class.getResource(name + ".ubj") != null) {
            try (InputStream ubj = open(name + ".ubj")) {
                return ForestReader.xgboostModel(ubj, ForestLimits.DEFAULT, String::hashCode);
            }
        }
        try (InputStream json = open(name + ".json")) {
            return name.startsWith("xgboost")
                    ? ForestReader.xgboost(json, ForestLimits.DEFAULT, String::hashCode)
                    : ForestReader.lightgbm(json, ForestLimits.DEFAULT, String::hashCode);
        }
    }

    private static List<String> lines(String name) throws IOException {
        try (InputStream text = open(name)) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    private static InputStream open(String name) {
        return Objects.requireNonNull(ForestReaderTest.class.getResourceAsStream(name));
    }

    private static double cell(String text) {
        if (text.isEmpty()) {
            return Double.NaN;
        }
        return Character.isLetter(text.charAt(0)) ? text.hashCode() : Double.parseDouble(text);
    }
}
