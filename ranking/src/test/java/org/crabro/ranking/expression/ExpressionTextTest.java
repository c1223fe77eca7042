package org.crabro.ranking.expression;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.crabro.ranking.expression.Expression.Binary;
import org.crabro.ranking.expression.Expression.Call;
import org.crabro.ranking.expression.Expression.Constant;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.Expression.If;
import org.crabro.ranking.expression.Expression.In;
import org.crabro.ranking.expression.Expression.Text;
import org.crabro.ranking.expression.Expression.Unary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpressionTextTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "(a+b)*c | (a + b) * c",
                "a+(b*c) | a + b * c",
                "a-(b-c) | a - (b - c)",
                "(a^b)^c | (a ^ b) ^ c",
                "-(a^2) | -(a ^ 2)",
                "(-a)^2 | -a ^ 2",
                "!(a&&b) | !(a && b)",
                "(a in [1,2]) in [1] | a in [1, 2] in [1]",
                "if(a<b,1.25,bm25( t )) | if(a < b, 1.25, bm25(t))",
                "foo(a+b) | foo(\"a + b\")",
                "foo(- 2, -x) | foo(-2,\"-x\")",
                "1e20 | 1.0E20",
                "foreach(terms, N, term(N).weight, true, sum) | foreach(terms,N,term(N).weight,true,sum)",
                "foreach(fields, F, bm25(F), \">1\", max) | foreach(fields,F,bm25(F),\">1\",max)",
                "other(a, b, c, true, d) | other(a,b,c,1,d)",
            })
    void writesNoMoreParenthesesThanNeeded(String text, String written) {
        assertThat(ExpressionText.of(ExpressionParser.parse(text))).isEqualTo(written);
    }

    @Test
    void writesWhatReadsBack() {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            Expression expression = expression(random, 5);

            String text = ExpressionText.of(expression);

            assertThat(ExpressionParser.parse(text))
                    .as("%s, seed %d", text, seed)
                    .isEqualTo(expression);
        }
    }

    private static Expression expression(Random random, int depth) {
        int kind = depth == 0 ? random.nextInt(3) : random.nextInt(8);
        return switch (kind) {
            case 0 -> new Constant(random.nextInt(1_000) / 8.0);
            case 1 -> new Text("a\"\\\n" + random.nextInt(9));
            case 2 -> new Feature("feature" + random.nextInt(3), List.of(new Constant(2)), "out");
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
            default ->
                    random.nextBoolean()
                            ? new In(
                                    expression(random, depth - 1),
                                    List.of(new Constant(-1), new Text("x")))
                            : new If(
                                    expression(random, depth - 1),
                                    expression(random, depth - 1),
                                    expression(random, depth - 1));
        };
    }
}
