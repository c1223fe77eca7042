package org.crabro.ranking.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.crabro.ranking.expression.UnaryOperator.MINUS;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.crabro.ranking.expression.BinaryOperator;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.Expression.Binary;
import org.crabro.ranking.expression.Expression.Call;
import org.crabro.ranking.expression.Expression.Constant;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.Expression.If;
import org.crabro.ranking.expression.Expression.Unary;
import org.crabro.ranking.expression.ScalarFunction;
import org.crabro.ranking.expression.TensorExpression;
import org.crabro.ranking.expression.TensorExpression.Lambda;
import org.crabro.ranking.expression.TensorExpression.Variable;
import org.crabro.ranking.tensor.TensorAggregator;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The deepest expressions compile in the stack that the threads of queries have. */
class DeepExpressionsTest {
    /** The default stack size of a thread on the tested systems. */
    private static final long STACK_BYTES = 1 << 20;

    private static final Expression LEAF = new Feature("f", List.of(), "");
    private static final TensorType X = TensorType.parse("tensor(x[2])");

    /** Ways to make an expression one level deeper. */
    enum Kind {
        SIGN(inner -> new Unary(MINUS, inner)),
        SUM(inner -> new Binary(BinaryOperator.PLUS, inner, new Constant(1))),
        POWER(inner -> new Binary(BinaryOperator.POWER, new Constant(1), inner)),
        CALL(inner -> new Call(ScalarFunction.SQRT, List.of(inner))),
        CONDITION(inner -> new If(inner, new Constant(1), LEAF)),
        BRANCH(inner -> new If(LEAF, new Constant(1), inner)),
        REDUCED(inner ->
                new TensorExpression.Reduce(
                        new TensorExpression.Generate(X, new Lambda(List.of("x"), inner)),
                        TensorAggregator.SUM,
                        List.of())),
        JOINED(inner ->
                new TensorExpression.Reduce(
                        new TensorExpression.Concat(inner, new Constant(1), "x"),
                        TensorAggregator.SUM,
                        List.of())),
        IN_A_FUNCTION(inner ->
                new TensorExpression.Map(
                        LEAF,
                        new Lambda(List.of("v"), inner.equals(LEAF) ? new Variable("v") : inner)));

        @SuppressWarnings("ImmutableEnumChecker") // functions without state
        final UnaryOperator<Expression> deeper;

        Kind(UnaryOperator<Expression> deeper) {
            this.deeper = deeper;
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void compileInTheStackOfAThread(Kind kind) throws InterruptedException {
        Expression deepest = LEAF;
        while (deepest.depth() + depthOf(kind) <= Expression.MAX_DEPTH) {
            deepest = kind.deeper.apply(deepest);
        }
        Expression compiled = deepest;
        var problem = new AtomicReference<Throwable>();
        Thread thread =
                new Thread(
                        null,
                        () ->
                                RankProgram.compile(compiled.replacing(feature -> feature))
                                        .evaluation(1),
                        "compiles",
                        STACK_BYTES);
        thread.setUncaughtExceptionHandler((_, thrown) -> problem.set(thrown));
        thread.start();
        thread.join();
        assertThat(problem.get()).isNull();

        Expression tooDeep = kind.deeper.apply(deepest);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> RankProgram.compile(tooDeep))
                .withMessage("the expression is deeper than 1000");
    }

    private static int depthOf(Kind kind) {
        return kind.deeper.apply(LEAF).depth() - LEAF.depth();
    }
}
