package org.crabro.ranking.forest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The output of save_model, written as text: names and texts are quoted, numbers have one byte, and
 * the rest is as in Universal Binary JSON.
 */
class XgboostModelTest {
    private static final ForestLimits SMALL = new ForestLimits(1_000, 5, 3);

    private static final String TREE =
            "{'left_children'[1 -1 -1]'right_children'[2 -1 -1]'split_indices'[0 0 0]"
                    + "'split_conditions'[5 2 3]'default_left'[1 0 0]}";

    private static final String ONE_LEAF =
            "{'left_children'[-1]'right_children'[-1]'split_indices'[0]'split_conditions'[1]"
                    + "'default_left'[0]}";

    @ParameterizedTest
    @CsvSource({
        "reg:squarederror, 5E-1, 4.9, SUM, 2.5",
        "reg:squarederror, [5E-1], 5, SUM, 3.5",
        "rank:ndcg, -1, NaN, SUM, 1",
        "reg:gamma, 1, 4, EXP, 2",
        "reg:logistic, 0.5, 6, SIGMOID, 3"
    })
    void sumsLeavesAndTheBaseScore(
            String objective, String base, double value, Forest.Link link, double sum) {
        Forest forest = read(model(objective, base, TREE), ForestLimits.DEFAULT);

        double[] sums = new double[1];
        forest.evaluation().evaluate(new double[][] {{value}}, 1, sums);
        assertThat(forest.link()).isEqualTo(link);
        assertThat(sums[0]).isEqualTo(sum);
        assertThat(forest.features()).containsExactly("attribute(year)");
    }

    /** The categories of the node are those with the numbers 0 and 2. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "'x'[] | 0 | 3",
                "'x'[] | 1 | 2",
                "'x'[] | 2 | 3",
                "'x'[] | NaN | 2",
                "'enc'[{'values'[]}] | 2 | 3",
                "'enc'[{'values'[7 8 9]}] | 7 | 3",
                "'enc'[{'values'[7 8 9]}] | 8 | 2",
                "'enc'[{'values'[7 8 9]}] | 2 | 2",
                "'enc'[{'offsets'[0 1 1 3]'values'[$U#i\\3abc}] | 1 | 3",
                "'enc'[{'offsets'[0 1 1 3]'values'[$U#i\\3abc}] | 2 | 3",
                "'enc'[{'offsets'[0 1 1 3]'values'[$U#i\\3abc}] | 0 | 2",
            })
    void comparesWithCategories(String categories, double value, double leaf) {
        String tree =
                TREE.replace(
                        "'default_left'",
                        "'split_type'[1 0 0]'categories_nodes'[0]'categories_segments'[1]"
                                + "'categories_sizes'[2]'categories'[9 0 2]'default_left'");
        String model =
                model("rank:map", "0", tree)
                        .replace("'trees'", "'cats'{" + categories + "}'trees'");

        double[] sums = new double[1];
        read(model, SMALL).evaluation().evaluate(new double[][] {{value}}, 1, sums);
        assertThat(sums[0]).isEqualTo(leaf);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{'values'[7 8]} | a split names the category 2 of feature 0, which has 2",
                "{'offsets'[0 5]'values'[7 8]} | the offsets of categories are none of 2 bytes",
                "{'offsets'[1 0]'values'[7 8]} | the offsets of categories are none of 2 bytes",
                "{'offsets'[0 1 2]'values'[$U#i\\2\\303\\251} | the categories of a feature are not UTF-8, as"
                        + " where XGBoost saved texts beyond ASCII: train with numbers for them"
            })
    void refusesCategoriesThatAreNone(String categories, String problem) {
        String tree =
                TREE.replace(
                        "'default_left'",
                        "'split_type'[1 0 0]'categories_nodes'[0]'categories_segments'[0]"
                                + "'categories_sizes'[1]'categories'[2]'default_left'");
        String model =
                model("rank:map", "0", tree)
                        .replace("'trees'", "'cats'{'enc'[" + categories + "]}'trees'");

        assertThatThrownBy(() -> read(model, SMALL))
                .isInstanceOf(InvalidForestException.class)
                .hasMessageEndingWith(": " + problem);
    }

    @Test
    void weighsTheTreesOfDart() {
        String model =
                model("rank:map", "0", TREE + TREE)
                                .replace(
                                        "{'name'S'gbtree''model'",
                                        "{'weight_drop'[2 5]'name'S'dart''gbtree'{'model'")
                        + "}";

        double[] sums = new double[1];
        read(model, new ForestLimits(1_000, 6, 3))
                .evaluation()
                .evaluate(new double[][] {{4}}, 1, sums);
        assertThat(sums[0]).isEqualTo(7 * 2);
    }

    @Test
    void readsArraysWhoseElementsHaveTheirTypeInCommon() {
        String tree =
                TREE.replace("[1 -1 -1]", "[$i#i\\3\\1\\377\\377")
                        .replace("[5 2 3]", "[#i\\3i\\5I\\0\\2d\\100\\100\\0\\0");

        assertThat(read(model("rank:map", "0", tree), SMALL))
                .isEqualTo(read(model("rank:map", "0", TREE), SMALL));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "[] | byte 1: expected a model as save_model(\"file.ubj\") writes it, an object, but found"
                        + " '['",
                "{} | there is no tree",
                "{}{} | byte 2: unexpected content after the model",
                "{'learner' | byte 10: the file ends inside of the model",
                "{'learner'[]} | byte 11: expected the learner, an object, but found '['",
                "{'x'[$i[]} | byte 7: expected a count after the type of a value, but found '['",
                "{'x'[#i\\377]} | byte 8: expected a length, 0 to 1,000, but found -1",
                "{'x'[#I\\177\\177]} | byte 9: expected a length, 0 to 1,000, but found 32639",
                "{'x'[#d\\177\\300\\0\\0]} | byte 7: expected a length, a whole number, but found 'd'",
                "{'x'[$T#I\\3\\350]} | byte 7: expected a type of a value, one that takes bytes, but found 'T'",
                "{'x'[$d#i\\1\\1 | byte 10: the file ends inside of a value",
                "{i\\11abc | byte 6: the file ends inside of a text",
                "{'x'Q} | byte 5: expected a value, a number, but found 'Q'",
                "{'x'[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[ | byte 36: values are nested deeper than 32",
                "{'learner'{'learner_model_param'{'num_class'S'3'}}} | byte 48: a model of several classes"
                        + " has no one score",
                "{'learner'{'learner_model_param'{'num_target'S'2'}}} | byte 49: a model of several"
                        + " targets has no one score",
                "{'learner'{'learner_model_param'{'base_score'S'[-3E-2,3E-4]''num_class'S'2'}}} | byte 75: a"
                        + " model of several classes has no one score",
                "{'learner'{'learner_model_param'{'base_score'S'[1,2]'}}} | byte 54: expected base_score, a"
                        + " finite number, but found '1,2'",
                "{'learner'{'gradient_booster'{'name'S'gblinear'}}} | byte 47: expected a model of gbtree or"
                        + " dart, but found one of 'gblinear'",
                "{'learner'{'gradient_booster'{'model'{'trees'["
                        + ONE_LEAF
                        + "]}'weight_drop'[1 2]}}} | 1 trees have 2 weights",
                "{'learner'{'gradient_booster'{'weight_drop'[d\\177\\200\\0\\0]}}} | byte 50: expected the weight"
                        + " of a tree, a finite number, but found Infinity",
            })
    void refusesWhatIsNoModel(String text, String problem) {
        assertThatThrownBy(() -> read(text, SMALL))
                .isInstanceOf(InvalidForestException.class)
                .hasMessage(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "[1 -1 -1] | [1 -1] | a tree has nodes, and all of its arrays have one element for each",
                "[1 -1 -1]'right | [1 2 -1]'right | a node has the child -1, and its tree 3 nodes",
                "[2 -1 -1] | [3 -1 -1] | a node has the child 3, and its tree 3 nodes",
                "[2 -1 -1] | [0 -1 -1] | more than 5 nodes",
                "[1 -1 -1]'right_children'[2 -1 -1] | [0 -1 -1]'right_children'[2 -1 -1] | a tree deeper"
                        + " than 3 nodes",
                "'split_indices'[0 | 'split_indices'[7 | a split names the feature 7 of 1",
                "'default_left' | 'split_type'[1 0 0]'default_left' | a node splits by categories that its tree does not list",
                "'default_left' | 'split_type'[1 0 0]'categories_nodes'[0]'categories_segments'[1]"
                        + "'categories_sizes'[2]'categories'[1 2]'default_left' | a node splits by categories that its tree does not list",
                "'default_left' | 'tree_param'{'size_leaf_vector'S'3'}'default_left' | leaves of several"
                        + " numbers are not read",
                "[5 2 3] | [5 d\\177\\200\\0\\0 2] | expected a threshold or a leaf, a finite number, but"
                        + " found Infinity",
                "[5 2 3] | [5 2 3 4 5 6] | more than 5 nodes",
                "[5 2 3] | [d\\177\\300\\0\\0 2 3] | expected a threshold or a leaf, a finite number, but found"
                        + " NaN",
                "[1 -1 -1] | [d\\177\\300\\0\\0 -1 -1] | expected the child of a node, a whole number, but"
                        + " found NaN",
                "'split_indices'[0 | 'split_indices'[d\\77\\0\\0\\0 | expected the feature of a split, a whole"
                        + " number, but found 0.5",
                "[1 -1 -1]'right_children'[2 -1 -1]'split_indices'[0 0 0]'split_conditions'[5 2 3]'default_left'[1 0 0] |"
                        + " [1 -1 3 -1 -1]'right_children'[2 -1 4 -1 -1]'split_indices'[0 0 0 0 0]"
                        + "'split_conditions'[5 2 3 4 5]'default_left'[1 0 0 0 0]'split_type'[1 0 1 0 0]"
                        + "'categories_nodes'[0 2]'categories_segments'[0 0]'categories_sizes'[2 2]"
                        + "'categories'[1 2] | a node splits by categories that its tree does not list",
            })
    void refusesTreesThatAreNone(String part, String other, String problem) {
        String tree = TREE.replace(part, other);

        assertThat(tree).isNotEqualTo(TREE);
        assertThatThrownBy(() -> read(model("reg:squarederror", "0", tree), SMALL))
                .isInstanceOf(InvalidForestException.class)
                .hasMessageEndingWith(": " + problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "binary:hinge | 0 | models of the objective 'binary:hinge' are not read",
                "binary:logistic | 1 | no sum of leaves gives the base_score 1.0 of this objective",
                "count:poisson | 0 | no sum of leaves gives the base_score 0.0 of this objective"
            })
    void refusesObjectivesThatSayNoScore(String objective, String base, String problem) {
        assertThatThrownBy(() -> read(model(objective, base, TREE), SMALL))
                .isInstanceOf(InvalidForestException.class)
                .hasMessage(problem);
    }

    @Test
    void refusesFeaturesWithoutANameWhereverNamesStand() {
        String names = "'feature_names'[S'attribute(year)']";
        String model =
                model("rank:map", "0", TREE.replace("'split_indices'[0", "'split_indices'[7"));
        String behind = model.replace(names, "").replace("}}}}", "}}" + names + "}}");

        assertThatThrownBy(() -> read(behind, SMALL))
                .isInstanceOf(InvalidForestException.class)
                .hasMessageEndingWith("a split names the feature 7 of 1");
    }

    /** A damaged file is read as a model or is rejected with a reason. */
    @Test
    void refusesDamagedFilesWithAReason() throws IOException {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        byte[] whole;
        try (InputStream file =
                Objects.requireNonNull(
                        XgboostModelTest.class.getResourceAsStream(
                                "xgboost-binary-logistic.ubj"))) {
            whole = file.readAllBytes();
        }
        for (int i = 0; i < 500; i++) {
            byte[] bytes =
                    random.nextBoolean()
                            ? whole.clone()
                            : Arrays.copyOf(whole, random.nextInt(whole.length));
            for (int j = 0; j < 3 && bytes.length > 0; j++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            assertThatCode(() -> readOrRefuse(bytes))
                    .as("seed %d, try %d", seed, i)
                    .doesNotThrowAnyException();
        }
    }

    private static void readOrRefuse(byte[] bytes) {
        try {
            ForestReader.xgboostModel(
                    new ByteArrayInputStream(bytes), ForestLimits.DEFAULT, String::length);
        } catch (InvalidForestException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }

    private static String model(String objective, String base, String tree) {
        return "{'learner'{'feature_names'[S'attribute(year)']'objective'{'name'S'"
                + objective
                + "'}'learner_model_param'{'base_score'S'"
                + base
                + "'}'gradient_booster'{'name'S'gbtree''model'{'trees'["
                + tree
                + "]}}}}";
    }

    private static Forest read(String text, ForestLimits limits) {
        return ForestReader.xgboostModel(
                new ByteArrayInputStream(bytes(text)), limits, String::length);
    }

    /** Quoted texts get their length, whole numbers their type; {@code \377} is one byte. */
    private static byte[] bytes(String text) {
        var bytes = new StringBuilder();
        for (int at = 0; at < text.length(); at++) {
            char next = text.charAt(at);
            if (next == '\'') {
                int end = text.indexOf('\'', at + 1);
                bytes.append('i').append((char) (end - at - 1)).append(text, at + 1, end);
                at = end;
            } else if (next == '\\') {
                int end = at + 1;
                while (end < text.length() && end < at + 4 && Character.isDigit(text.charAt(end))) {
                    end++;
                }
                bytes.append((char) Integer.parseInt(text.substring(at + 1, end), 8));
                at = end - 1;
            } else if (next == '-') {
                bytes.append('i').append((char) (256 - (text.charAt(++at) - '0')));
            } else if (Character.isDigit(next)) {
                bytes.append('i').append((char) (next - '0'));
            } else if (next != ' ') {
                bytes.append(next);
            }
        }
        return bytes.toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
