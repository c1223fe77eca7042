package org.crabro.ranking.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.crabro.ranking.expression.BinaryOperator;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.Expression.Binary;
import org.crabro.ranking.expression.Expression.Call;
import org.crabro.ranking.expression.Expression.Constant;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.Expression.If;
import org.crabro.ranking.expression.Expression.In;
import org.crabro.ranking.expression.Expression.Text;
import org.crabro.ranking.expression.Expression.Unary;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.expression.ExpressionText;
import org.crabro.ranking.expression.ScalarFunction;
import org.crabro.ranking.expression.TensorExpression;
import org.crabro.ranking.expression.UnaryOperator;
import org.crabro.ranking.onnx.ModelRuns;
import org.crabro.ranking.tensor.TensorWork;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RankProgramTest {
    private static final double[] NUMBERS = {
        0,
        -0.0,
        1,
        -1,
        2,
        -2.5,
        3,
        7.75,
        1e-8,
        1.00000001,
        255,
        -129,
        1e300,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY
    };

    /** The same expression once with constants, which are folded, and once with features. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "1 + 2 * 3 ; 7",
                "-2 ^ 2 ; 4",
                "2 ^ 3 ^ 2 ; 512",
                "2 * 3 % 4 ; 2",
                "-7 % 3 ; -1",
                "fmod(-7.5, 2) ; -1.5",
                "1 / 0 ; Infinity",
                "0 / 0 ; NaN",
                "1 ^ (0 / 0) ; 1",
                "!0 + 1 ; 2",
                "!(0 / 0) ; 0",
                "1 < 2 == 1 ; 1",
                "0 / 0 == 0 / 0 ; 0",
                "0 / 0 != 0 / 0 ; 1",
                "2 && 3 ; 1",
                "0 || 2 ; 1",
                "0 && 1 / 0 ; 0",
                "1 ~= 1.00000001 ; 1",
                "1000000 ~= 1000000.01 ; 1",
                "1 ~= 1.001 ; 0",
                "0.5 ~= 0.50000001 ; 1",
                "if(0 / 0, 1, 2) ; 1",
                "if(0, 1 / 0, 5) ; 5",
                "3 in [1, 3] ; 1",
                "-3 in [1, 3] ; 0",
                "\"a\" in [\"b\", \"a\"] ; 1",
                "\"a\" == \"b\" ; 0",
                "round(2.5) ; 3",
                "round(-2.5) ; -2",
                "round(0 / 0) ; NaN",
                "sign(0) ; 1",
                "sign(-3) ; -1",
                "square(-3) ; 9",
                "elu(-1) ; -0.6321205588285577",
                "elu(2) ; 2",
                "relu(-4) ; 0",
                "sigmoid(0) ; 0.5",
                "ldexp(3, 2.9) ; 12",
                "bit(5, 0) ; 1",
                "bit(5, 1) ; 0",
                "bit(-1, 7) ; 1",
                "bit(-1, 8) ; 0",
                "hamming(0, 255) ; 8",
                "hamming(-1, 1) ; 7",
                "min(0 / 0, 1) ; NaN",
                "min(1, 0 / 0) ; 1",
                "max(1, 0 / 0) ; 1",
                "max(3, 4) ; 4",
                "log(exp(2)) ; 2",
                "log10(1000) ; 3",
                "isNan(0 / 0) ; 1",
                "atan2(1, 1) ; 0.7853981633974483",
                "pow(2, 10) ; 1024",
                "erf(0) ; 0",
                "erf(0.5) ; 0.5204998778130465",
                "erf(-2) ; -0.9953222650189527",
                "erf(4) ; 0.9999999845827421",
                "erf(1 / 0) ; 1",
            })
    void evaluates(String text, double value) {
        Expression expression = ExpressionParser.parse(text);
        double[] hidden = new double[64];
        Expression asFeatures = hideConstants(expression, hidden, new int[1]);

        assertThat(evaluate(expression, _ -> 0)).isCloseTo(value, within(1e-14));
        assertThat(evaluate(asFeatures, f -> hidden[Integer.parseInt(f.output())]))
                .isCloseTo(value, within(1e-14));
    }

    @Test
    void agreesWithAnInterpreterOfTrees() {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        int capacity = 37;
        for (int i = 0; i < 1_500; i++) {
            Expression expression = expression(random, 6);
            RankProgram program = RankProgram.compile(expression);
            double[][] documents = new double[3][capacity];
            for (double[] column : documents) {
                for (int j = 0; j < capacity; j++) {
                    column[j] = NUMBERS[random.nextInt(NUMBERS.length)];
                }
            }
            double[] scores = new double[capacity];
            int count = 1 + random.nextInt(capacity);
            BatchEvaluation evaluation = program.evaluation(capacity);

            // Twice, to check that the second batch does not depend on the first.
            evaluation.evaluate(
                    (_, into, n) -> java.util.Arrays.fill(into, 0, n, 5), count, scores);
            evaluation.evaluate(
                    (slot, into, n) ->
                            System.arraycopy(column(documents, program, slot), 0, into, 0, n),
                    count,
                    scores);

            for (int j = 0; j < count; j++) {
                int document = j;
                double expected =
                        new TreeInterpreter(f -> documents[number(f)][document]).value(expression);
                // Far smaller than the effect of any mistake; erf is computed in two ways.
                double allowed = Double.isFinite(expected) ? 1e-9 * Math.abs(expected) + 1e-12 : 0;
                assertThat(scores[j])
                        .as("%s, seed %d", ExpressionText.of(expression), seed)
                        .satisfies(score ->
                                assertThat(
                                                Double.compare(score + 0.0, expected + 0.0) == 0
                                                        || Math.abs(score - expected) <= allowed)
                                        .as("%s, expected %s", score, expected)
                                        .isTrue());
            }
        }
    }

    @Test
    void readsEachFeatureOncePerBatch() {
        RankProgram program = program("bm25(a) * bm25( a ) + bm25(b) + if(now > 0, bm25(a), 1)");
        var read = new ArrayList<Integer>();

        program.evaluation(4).evaluate((slot, _, _) -> read.add(slot), 4, new double[4]);

        assertThat(program.features().stream().map(Feature::toString))
                .containsExactly("bm25(a)", "bm25(b)", "now");
        assertThat(read).containsExactlyInAnyOrder(0, 1, 2);
    }

    @Test
    void dropsWhatFoldingMadeUnreachable() {
        assertThat(program("if(1 > 2, bm25(a), now)").features()).hasSize(1);
        assertThat(program("if(bm25(a), now, now)").features()).hasSize(1);
        assertThat(evaluate(ExpressionParser.parse("if(bm25(a), now + 1, now + 1)"), _ -> 3))
                .isEqualTo(4);
    }

    @Test
    void worksInFewColumns() {
        var text = new StringBuilder("f(0)");
        for (int i = 1; i < 500; i++) {
            text.append(" + f(").append(i).append(')');
        }
        StepCompiler.Compiled compiled =
                StepCompiler.compile(
                        ExpressionParser.parse(text.toString()),
                        _ -> TensorType.SCALAR,
                        ModelRuns.none(),
                        TensorWork.UNLIMITED,
                        true);

        assertThat(compiled.steps()).hasSize(999);
        assertThat(ColumnPlan.of(compiled.steps()).count()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "bm25(a), true",
        "2 * bm25(a) + bm25(b) * 0.5 + 3, true",
        "0 * bm25(a), true",
        "7, true",
        "3 - bm25(a), false",
        "-1 * bm25(a), false",
        "bm25(a) * bm25(b), false",
        "bm25(a) / 2, false",
        "1e308 * 1e308 * bm25(a), false",
        "'if (bm25(a) > 1, 2, 3)', false",
        "'max(bm25(a), 1)', false"
    })
    void knowsWhichSumsRiseWithTheirFeatures(String expression, boolean isRising) {
        assertThat(RankProgram.compile(ExpressionParser.parse(expression)).isRising())
                .isEqualTo(isRising);
    }

    @Test
    void rejectsABatchLargerThanItsRoom() {
        BatchEvaluation evaluation = program("1").evaluation(4);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> evaluation.evaluate((_, _, _) -> {}, 5, new double[5]));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> evaluation.evaluate((_, _, _) -> {}, 4, new double[3]));
    }

    @Test
    void hashesStrings() {
        assertThat(Double.doubleToRawLongBits(StringValue.of("foo bar baz")))
                .isEqualTo(0x42E71E38BDBF5020L);
        assertThat(
                        evaluate(
                                ExpressionParser.parse("attribute(l) == \"en\""),
                                _ -> StringValue.of("en")))
                .isEqualTo(1);
    }

    private static RankProgram program(String text) {
        return RankProgram.compile(ExpressionParser.parse(text));
    }

    private static double evaluate(Expression expression, ToDoubleFunction<Feature> features) {
        RankProgram program = RankProgram.compile(expression);
        double[] scores = new double[1];
        program.evaluation(1)
                .evaluate(
                        (slot, into, _) ->
                                into[0] = features.applyAsDouble(program.features().get(slot)),
                        1,
                        scores);
        return scores[0];
    }

    private static double[] column(double[][] documents, RankProgram program, int slot) {
        return documents[number(program.features().get(slot))];
    }

    private static int number(Feature feature) {
        return Integer.parseInt(feature.output());
    }

    /** Puts features in the place of constants, but for the choices of {@code in}. */
    private static Expression hideConstants(Expression tree, double[] hidden, int[] count) {
        return switch (tree) {
            case Constant(double value) -> {
                hidden[count[0]] = value;
                yield new Feature("c", List.of(), Integer.toString(count[0]++));
            }
            case Text text -> text;
            case Feature feature -> feature;
            case Unary(var operator, var operand) ->
                    new Unary(operator, hideConstants(operand, hidden, count));
            case Binary(var operator, var left, var right) ->
                    new Binary(
                            operator,
                            hideConstants(left, hidden, count),
                            hideConstants(right, hidden, count));
            case In(var operand, var choices) ->
                    new In(hideConstants(operand, hidden, count), choices);
            case Call(var function, var arguments) ->
                    new Call(
                            function,
                            arguments.stream().map(a -> hideConstants(a, hidden, count)).toList());
            case If(var condition, var then, var otherwise) ->
                    new If(
                            hideConstants(condition, hidden, count),
                            hideConstants(then, hidden, count),
                            hideConstants(otherwise, hidden, count));
            case Expression.Trees trees -> trees.with(part -> hideConstants(part, hidden, count));
            case Expression.Onnx onnx -> onnx.with(part -> hideConstants(part, hidden, count));
            case TensorExpression tensor -> tensor;
        };
    }

    private static Expression expression(Random random, int depth) {
        int kind = depth == 0 ? random.nextInt(2) : random.nextInt(9);
        return switch (kind) {
            case 0 -> new Constant(NUMBERS[random.nextInt(NUMBERS.length)]);
            case 1, 2 -> new Feature("f", List.of(), Integer.toString(random.nextInt(3)));
            case 3 ->
                    new Unary(
                            random.nextBoolean() ? UnaryOperator.MINUS : UnaryOperator.NOT,
                            expression(random, depth - 1));
            case 4, 5 -> {
                BinaryOperator[] operators = BinaryOperator.values();
                yield new Binary(
                        operators[random.nextInt(operators.length)],
                        expression(random, depth - 1),
                        expression(random, depth - 1));
            }
            case 6 -> {
                ScalarFunction[] functions = ScalarFunction.values();
                ScalarFunction function = functions[random.nextInt(functions.length)];
                var arguments = new ArrayList<Expression>();
                for (int i = 0; i < function.arity(); i++) {
                    arguments.add(expression(random, depth - 1));
                }
                yield new Call(function, arguments);
            }
            case 7 ->
                    new In(
                            expression(random, depth - 1),
                            List.of(new Constant(2), new Constant(7.75)));
            default ->
                    new If(
                            expression(random, depth - 1),
                            expression(random, depth - 1),
                            expression(random, depth - 1));
        };
    }
}
