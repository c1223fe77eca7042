package org.crabro.ranking.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.crabro.ranking.expression.BinaryOperator;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.expression.ExpressionText;
import org.crabro.ranking.onnx.ModelFailedException;
import org.crabro.ranking.onnx.ModelRuns;
import org.crabro.ranking.onnx.RankModel;
import org.crabro.ranking.onnx.RankModelFiles;
import org.crabro.ranking.onnx.RankModels;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Models are tensors, or numbers, in an expression, of whatever their inputs are. */
class ModelProgramTest {
    private static final TensorType VECTOR = TensorType.parse("tensor<float>(d0[1],d1[2])");
    private static final RankModel PAIR =
            RankModelFiles.model("pair", VECTOR.toString(), VECTOR.toString());
    private static final RankModel MLP = RankModelFiles.model("mlp", "tensor<float>(d0[1],d1[16])");
    private static final RankModel TWICE = RankModelFiles.model("twice", VECTOR.toString());
    private static final RankModel TOTAL =
            RankModelFiles.model("total", "tensor<float>(d0[1],d1[3])");
    private static final RankModel LOOKUP = RankModelFiles.model("lookup", "tensor(d0[1])");

    private final RankModels models =
            RankModels.forContent(List.of(MLP, PAIR, TWICE, TOTAL, LOOKUP), new AtomicInteger());
    private ModelRuns runs;

    @BeforeEach
    void start() {
        runs = models.begin().orElseThrow();
    }

    @AfterEach
    void stop() {
        runs.close();
        models.retire();
    }

    @Test
    void runsOnceARowHoweverOftenItsOutputsAreRead() {
        Expression sums = parse("sum(first) + reduce(second, max) + sum(first * first)");
        RankProgram program =
                compile(put(put(sums, "first", pair(0, "x", "y")), "second", pair(1, "x", "y")));

        // Of x = (v, 2) and y = (1, v): the sum is (v + 1, v + 2), the product v + 2 v.
        double[] scores = scores(program, 0, 1, 2, 3, 4);

        for (int v = 0; v < 5; v++) {
            double sum = (v + 1) + (v + 2);
            double squares = (v + 1) * (v + 1) + (v + 2) * (v + 2);
            assertThat(scores[v]).isEqualTo(sum + 3 * v + squares);
        }
        assertThat(runs.count()).isEqualTo(5);
    }

    /** Around the sizes of calls, where rows are filled up. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 15, 16, 17, 63, 64, 65, 130})
    void isTheSameForManyRowsAsForOne(int count) {
        Expression features = parse("tensor<float>(d0[1],d1[16])(n * (d1 - 7.3) / 11)");
        RankProgram program =
                compile(
                        put(
                                parse("sum(t)"),
                                "t",
                                new Expression.Onnx("onnx(mlp)", MLP, 0, List.of(features))));
        double[] values = new Random(count).doubles(count).toArray();
        double[] together = scores(program, values);

        for (int i = 0; i < count; i++) {
            assertThat(scores(program, values[i])).containsExactly(together[i]);
        }
        assertThat(runs.count()).isEqualTo(2L * count);
    }

    @Test
    void runsAgainForTheNextBatch() {
        RankProgram program = compile(put(parse("sum(t)"), "t", twice("x")));
        BatchEvaluation evaluation = program.evaluation(2);
        double[] scores = new double[2];

        evaluation.evaluate(new Values(program, 1, 2), 2, scores);
        assertThat(scores).containsExactly(2 * (1 + 2), 2 * (2 + 2));
        evaluation.evaluate(new Values(program, 5), 1, scores);

        assertThat(scores[0]).isEqualTo(2 * (5 + 2));
        assertThat(runs.count()).isEqualTo(3);
    }

    @Test
    void readsTheOutputOfAnotherModel() {
        Expression inner = twice("x");
        Expression outer =
                new Expression.Onnx("onnx(pair).dot", PAIR, 1, List.of(inner, feature("y")));
        RankProgram program = compile(put(put(parse("sum(o) + sum(i)"), "o", outer), "i", inner));

        // Of x = (v, 2), twice (2 v, 4), and y = (1, v).
        assertThat(scores(program, 0, 1, 2))
                .containsExactly(0 + 0 + 4, 2 + 4 + 2 + 4, 4 + 8 + 4 + 4);
        assertThat(runs.count()).isEqualTo(6);
    }

    @Test
    void isANumberWhereItHasNoDimensions() {
        Expression total =
                new Expression.Onnx(
                        "onnx(total)",
                        TOTAL,
                        0,
                        List.of(parse("tensor<float>(d0[1],d1[3]):[[n, n * 2, 1]]")));

        assertThat(scores(compile(total), 1, 2, 3)).containsExactly(4, 7, 10);
        assertThat(
                        scores(
                                compile(
                                        new Expression.Binary(
                                                BinaryOperator.MULTIPLY, total, parse("n"))),
                                1,
                                2))
                .containsExactly(4, 14);
    }

    @Test
    void isTheSameForAllRowsWhereItsInputsAre() {
        Expression constant = parse("tensor<float>(d0[1],d1[2]):[[1,2]]");
        Expression folded = new Expression.Onnx("onnx(twice)", TWICE, 0, List.of(constant));

        RankProgram program = compile(put(parse("sum(t) + n"), "t", folded));
        compile(put(parse("sum(t) * 2"), "t", folded));

        assertThat(runs.count()).isEqualTo(1);
        assertThat(scores(program, 1, 2)).containsExactly(7, 8);
        assertThat(runs.count()).isEqualTo(1);
        assertThat(program.toString()).doesNotContain("Model");
    }

    @Test
    void isReadCellByCell() {
        RankProgram program =
                compile(put(parse("t{d0:0,d1:1} * 10 + t{d0:0,d1:0}"), "t", pair(0, "x", "y")));

        assertThat(scores(program, 0, 1, 2)).containsExactly(21, 32, 43);
        assertThat(runs.count()).isEqualTo(3);
    }

    @Test
    void isOneTensorOfARow() {
        RankProgram program = compile(twice("x"));

        assertThat(program.type()).isEqualTo(VECTOR);
        assertThat(program.evaluation(1).tensor(new Values(program, 3)))
                .isEqualTo(TensorData.dense(VECTOR, new double[] {6, 4}));
    }

    @Test
    void namesTheFailingModel() {
        Expression rows =
                new Expression.Onnx("onnx(lookup)", LOOKUP, 0, List.of(parse("tensor(d0[1]):[n]")));
        RankProgram program = compile(put(parse("sum(t)"), "t", rows));

        assertThat(scores(program, 0, 3)).containsExactly(1, 13);
        assertThatExceptionOfType(ModelFailedException.class)
                .isThrownBy(() -> scores(program, 0, 9))
                .withMessageStartingWith("onnx-model 'lookup' failed: ");
    }

    @Test
    void rejectsATensorOfAnotherSize() {
        Expression wrong =
                new Expression.Onnx(
                        "onnx(twice)", TWICE, 0, List.of(parse("tensor(d0[1],d1[3])(n)")));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> compile(wrong))
                .withMessage("input 'x' of onnx-model 'twice' is given a tensor(d0[1],d1[3])");
    }

    @Test
    void boundsWhatIsComputedAtATime() {
        RankModel large = RankModelFiles.model("unsaid", "tensor(d0[200000])");
        Expression onnx =
                new Expression.Onnx("onnx(m)", large, 0, List.of(parse("tensor(d0[200000])(n)")));

        assertThat(compile(put(parse("sum(t)"), "t", onnx)).batchMax()).isEqualTo(2);
        assertThat(compile(put(parse("sum(t)"), "t", twice("x"))).batchMax())
                .isGreaterThan(100_000);
    }

    @Test
    void isWrittenAsItStoodInTheProfile() {
        assertThat(
                        ExpressionText.of(
                                new Expression.Binary(
                                        BinaryOperator.PLUS, pair(1, "x", "y"), parse("n"))))
                .isEqualTo("onnx(pair) + n");
        assertThat(pair(1, "x", "y").models()).containsExactly(PAIR);
    }

    private RankProgram compile(Expression expression) {
        return RankProgram.compile(
                expression,
                feature -> feature.name().equals("n") ? TensorType.SCALAR : VECTOR,
                runs);
    }

    private static Expression pair(int output, String query, String document) {
        return new Expression.Onnx(
                "onnx(pair)", PAIR, output, List.of(feature(query), feature(document)));
    }

    private static Expression twice(String input) {
        return new Expression.Onnx("onnx(twice)", TWICE, 0, List.of(feature(input)));
    }

    private static Expression feature(String name) {
        return new Expression.Feature(name, List.of(), "");
    }

    private static Expression parse(String text) {
        return ExpressionParser.parse(text);
    }

    private static Expression put(Expression into, String name, Expression value) {
        return into.replacing(feature -> feature.name().equals(name) ? value : feature);
    }

    private static double[] scores(RankProgram program, double... values) {
        double[] scores = new double[values.length];
        program.evaluation(values.length)
                .evaluate(new Values(program, values), values.length, scores);
        return scores;
    }

    /** The feature {@code n} of a row is v, {@code x} is (v, 2) and {@code y} is (1, v). */
    private static final class Values implements FeatureValues {
        private final RankProgram program;
        private final double[] values;

        Values(RankProgram program, double... values) {
            this.program = program;
            this.values = values;
        }

        @Override
        public void read(int slot, double[] into, int count) {
            System.arraycopy(values, 0, into, 0, count);
        }

        @Override
        public TensorData tensor(int slot, int row) {
            double v = values[row];
            return TensorData.dense(
                    VECTOR,
                    program.features().get(slot).name().equals("x")
                            ? new double[] {v, 2}
                            : new double[] {1, v});
        }
    }
}
