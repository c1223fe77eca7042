package org.crabro.ranking.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.crabro.ranking.expression.BinaryOperator;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.expression.ExpressionText;
import org.crabro.ranking.forest.Forest;
import org.crabro.ranking.forest.ForestLimits;
import org.crabro.ranking.forest.ForestReader;
import org.junit.jupiter.api.Test;

/** Decision trees are numbers in an expression, of whatever their inputs are. */
class TreesProgramTest {
    private static final String MODEL =
            """
            [{"nodeid":0,"split":"a","split_condition":3,"yes":1,"no":2,"missing":2,"children":[
              {"nodeid":1,"leaf":10},
              {"nodeid":2,"split":"b","split_condition":5,"yes":3,"no":4,"missing":3,"children":[
                {"nodeid":3,"leaf":20},{"nodeid":4,"leaf":30}]}]}]
            """;

    private static final Forest FOREST =
            ForestReader.xgboost(
                    new ByteArrayInputStream(MODEL.getBytes(StandardCharsets.UTF_8)),
                    ForestLimits.DEFAULT,
                    StringValue::of);

    @Test
    void computesInputsAndGoesOnWithTheSum() {
        RankProgram program = RankProgram.compile(around(trees("x * 2", "x + 1"), "x"));

        assertThat(scores(program, 0, 1, 1.5, 3.9, 4, Double.NaN))
                .containsExactly(10, 11, 21.5, 23.9, 34, Double.NaN);
    }

    @Test
    void foldsConstants() {
        RankProgram program = RankProgram.compile(trees("7", "x"));

        assertThat(scores(program, 4, 5)).containsExactly(20, 30);
    }

    @Test
    void evaluatesEqualTreesOnce() {
        Expression twice =
                new Expression.Binary(BinaryOperator.PLUS, trees("x", "y"), trees("x", "y"));

        assertThat(RankProgram.compile(twice).toString()).containsOnlyOnce("Trees");
    }

    @Test
    void isWrittenAsItStoodInTheProfile() {
        assertThat(ExpressionText.of(around(trees("x", "y"), "z")))
                .isEqualTo("xgboost(\"m.json\") + z");
    }

    private static Expression around(Expression trees, String more) {
        return new Expression.Binary(BinaryOperator.PLUS, trees, ExpressionParser.parse(more));
    }

    private static Expression trees(String a, String b) {
        return new Expression.Trees(
                "xgboost(\"m.json\")",
                FOREST,
                List.of(ExpressionParser.parse(a), ExpressionParser.parse(b)));
    }

    private static double[] scores(RankProgram program, double... x) {
        double[] scores = new double[x.length];
        program.evaluation(x.length)
                .evaluate(
                        (_, into, count) -> System.arraycopy(x, 0, into, 0, count),
                        x.length,
                        scores);
        return scores;
    }
}
