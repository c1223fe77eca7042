package org.crabro.ranking.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.crabro.ranking.expression.Expression.Constant;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.Expression.Text;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionParserTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "1+2*3 ; (+ 1 (* 2 3))",
                "1-2-3 ; (- (- 1 2) 3)",
                "2*3%4 ; (% (* 2 3) 4)",
                "1/2*3 ; (* (/ 1 2) 3)",
                "2^3^2 ; (^ 2 (^ 3 2))",
                "-2^2 ; (^ (neg 2) 2)",
                "2^-1 ; (^ 2 (neg 1))",
                "2 - -1 ; (- 2 (neg 1))",
                "--x ; (neg (neg x))",
                "!0+1 ; (+ (not 0) 1)",
                "!-x ; (not (neg x))",
                "1<2==1 ; (== (< 1 2) 1)",
                "a+1<=b*2 ; (<= (+ a 1) (* b 2))",
                "a~=b != c>=d ; (>= (!= (~= a b) c) d)",
                "a&&b||c&&d ; (|| (&& a b) (&& c d))",
                "a||b&&c<d ; (|| a (&& b (< c d)))",
                "(a||b)*2 ; (* (|| a b) 2)",
                "a in [1, -2.5, \"x\"] ; (in a 1 -2.5 (text x))",
                "a+1 in [2] && b ; (&& (in (+ a 1) 2) b)",
                "if(a>1, b, c) ; (if (> a 1) b c)",
                "if (a, b, c, 0.75) ; (if a b c)",
                "max(a, min(b, 2)) ; (max a (min b 2))",
                "isNan(x) ; (isNan x)",
                "true + false ; (+ 1 0)",
                "$x ; query(x)",
                "now ; now",
                "f() ; f",
                "1.5e3 + 5. + 010 ; (+ (+ 1500 5) 10)",
                "2nd + 1e ; (+ 2nd 1e)",
                "in + 1 ; (+ in 1)",
            })
    void readsByPrecedence(String text, String tree) {
        assertThat(Trees.of(ExpressionParser.parse(text))).isEqualTo(tree);
    }

    @Test
    void normalisesNamesOfFeatures() {
        assertThat(name("closeness( field , embedding )")).isEqualTo("closeness(field,embedding)");
        assertThat(name("freshness(time) . logscale")).isEqualTo("freshness(time).logscale");
        assertThat(name("fieldTermMatch(title, 0).occurrences"))
                .isEqualTo("fieldTermMatch(title,0).occurrences");
        assertThat(name("attribute(tags, 'a \"b\"')")).isEqualTo("attribute(tags,\"a \\\"b\\\"\")");
        assertThat(name("onnx(m).a.1")).isEqualTo("onnx(m).a.1");
    }

    @Test
    void readsStringsWithEscapes() {
        assertThat(ExpressionParser.parse("'it\\'s \\x41\\n\\\\'"))
                .isEqualTo(new Text("it's A\n\\"));
        assertThat(ExpressionParser.parse("\"# no comment\"")).isEqualTo(new Text("# no comment"));
    }

    @Test
    void skipsSpaceAndComments() {
        assertThat(ExpressionParser.parse(" # first\n 7 # second")).isEqualTo(new Constant(7));
    }

    @Test
    void listsFeaturesOnceInOrder() {
        Expression expression =
                ExpressionParser.parse("if(bm25(b) > 1, now, bm25(a)) + bm25( b ) * query(q)");

        assertThat(expression.features().stream().map(Feature::toString))
                .containsExactly("bm25(b)", "now", "bm25(a)", "query(q)");
    }

    @Test
    void remembersWhereAFeatureStands() {
        Feature second = ExpressionParser.parse("1 +\n  bm25(a)").features().getFirst();

        assertThat(second.origin().line()).isEqualTo(2);
        assertThat(second.origin().column()).isEqualTo(3);
        assertThat(second)
                .isEqualTo(new Feature("bm25", List.of(new Feature("a", List.of(), "")), ""));
    }

    @Test
    void pointsAtTheFirstCharacterThatDoesNotFit() {
        rejects(
                "1 +\n  max(a, b",
                """
                2:11: expected an operator, ',' or ')' but found the end
                    max(a, b
                            ^\
                """);
        rejects(
                "a + * b",
                """
                1:5: expected a value but found '*'
                  a + * b
                      ^\
                """);
        rejects(
                "a b",
                """
                1:3: expected an operator or the end but found 'b'
                  a b
                    ^\
                """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | expected a value but found the end",
                ".5 | expected a value but found '.'",
                "a = 1 | expected an operator or the end but found '='",
                "(a | expected an operator or ')' but found the end",
                "if(a, b) | expected an operator or ',' but found ')'",
                "if(a, b, c, d) | expected a number but found 'd'",
                "a in [b] | expected a number or a string but found 'b'",
                "a in [] | expected a number or a string but found ']'",
                "a in 1 | expected '[' but found '1'",
                "bm25(title). | expected the name of an output but found the end",
                "'abc | the string has no end",
                "'\\q' | expected one of \\\\",
                "1e999 | the number is too large",
                "max(a) | 'max' takes 2 arguments, but 1 is given",
                "sqrt(a, b) | 'sqrt' takes 1 argument, but 2 are given",
            })
    void rejectsWhatIsNotWellFormed(String text, String problem) {
        assertThatExceptionOfType(ExpressionSyntaxException.class)
                .isThrownBy(() -> ExpressionParser.parse(text))
                .withMessageContaining(problem);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1 + sum(a * b)",
                "reduce(a, max, x)",
                "tensor<float>(x[2])(x)",
                "tensor(x[2]):[1,2]",
                "[1, 2]",
                "{{x:a}:1}",
                "a{x:1}",
                "a[0]",
                "switch(a) {case 1: 2, default: 3}",
                "bm25(field: title, label: x)",
                "map(a, f(x)(x + 1))",
                "f(x)(x + 1)",
            })
    void saysWhatIsNotBuiltYet(String text) {
        assertThatExceptionOfType(ExpressionSyntaxException.class)
                .isThrownBy(() -> ExpressionParser.parse(text))
                .withMessageContaining("not built yet");
    }

    @Test
    void boundsDepth() {
        ExpressionParser.parse("1" + "+1".repeat(Expression.MAX_DEPTH - 1));
        assertThatExceptionOfType(ExpressionSyntaxException.class)
                .isThrownBy(() -> ExpressionParser.parse("1" + "+1".repeat(Expression.MAX_DEPTH)))
                .withMessageContaining("deeper than 1000");
        assertThatExceptionOfType(ExpressionSyntaxException.class)
                .isThrownBy(() -> ExpressionParser.parse("(".repeat(100_000)))
                .withMessageContaining("nested deeper than 200");
        assertThatExceptionOfType(ExpressionSyntaxException.class)
                .isThrownBy(() -> ExpressionParser.parse("-".repeat(100_000) + "1"))
                .withMessageContaining("nested deeper than 200");
    }

    private static String name(String text) {
        return ExpressionParser.parse(text).features().getFirst().toString();
    }

    private static void rejects(String text, String message) {
        assertThatExceptionOfType(ExpressionSyntaxException.class)
                .isThrownBy(() -> ExpressionParser.parse(text))
                .withMessage(message);
    }
}
