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

    @Test
    void readsNumbersBeyondTheLargestAsInfinite() {
        Constant infinite = new Constant(Double.POSITIVE_INFINITY);
        assertThat(ExpressionParser.parse("1e400")).isEqualTo(infinite);
        assertThat(ExpressionText.of(infinite)).isEqualTo("1e999");
        assertThat(ExpressionText.of(new Constant(Double.NEGATIVE_INFINITY))).isEqualTo("-1e999");
        assertThat(ExpressionText.of(ExpressionParser.parse("tensor(x{}):{a:-1e400, b:1e400}")))
                .isEqualTo("tensor(x{}):{a:-Infinity, b:Infinity}");
        assertThat(ExpressionText.of(ExpressionParser.parse("tensor(x[2]):[-1e400, 1e400]")))
                .isEqualTo("tensor(x[2]):[-Infinity, Infinity]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{ }", "tensor():{}", "tensor():{0}"})
    void readsEmptyBracesAsTheNumber0(String text) {
        assertThat(ExpressionParser.parse(text)).isEqualTo(new Constant(0));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a{x:-1} | a{x:\"-1\"}",
                "a{-12} | a{\"-12\"}",
                "tensor(x{}):{-1:2} | tensor(x{}):{'-1':2.0}",
                "tensor(x{}):{{x:-1}:2} | tensor(x{}):{'-1':2.0}",
            })
    void labelsMayBeNegativeNumbers(String text, String tree) {
        assertThat(Trees.of(ExpressionParser.parse(text))).isEqualTo(tree);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "t{key:bar, i:2-j} | t{key:\"bar\", i:(2 - j)}",
                "t{i:j*2} | t{i:(j * 2)}",
                "t{x:(b)+1} | t{x:(b + 1)}",
            })
    void slicesTakeExpressions(String text, String tree) {
        assertThat(Trees.of(ExpressionParser.parse(text))).isEqualTo(tree);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "diag(i[2]) | tensor(i[2])(1)",
                "diag(i[2],j[2],k[3]) | tensor(i[2],j[2],k[3])((i == j) * (j == k))",
                "range(i[3]) | tensor(i[3])(i)",
                "range(i[3],j[2],k[2]) | tensor(i[3],j[2],k[2])(i + j + k)",
            })
    void diagAndRangeTakeAnyNumberOfIndexedDimensions(String text, String tree) {
        assertThat(Trees.of(ExpressionParser.parse(text))).isEqualTo(tree);
    }

    @Test
    void aTensorOfOneCellWithoutDimensionsIsANumber() {
        assertThat(Trees.of(ExpressionParser.parse("tensor():{{}:1}"))).isEqualTo("1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | expected a value but found the end",
                ".5 | expected a value but found '.'",
                "$3 | expected a name but found '3'",
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
                "bm25(1: title) | expected the name of an argument in front of ':'",
                "bm25(label: 1 + 1) | expected a name after 'label:'",
                "max(a) | 'max' takes 2 arguments, but 1 is given",
                "sqrt(a, b) | 'sqrt' takes 1 argument, but 2 are given",
            })
    void rejectsWhatIsNotWellFormed(String text, String problem) {
        assertThatExceptionOfType(ExpressionSyntaxException.class)
                .isThrownBy(() -> ExpressionParser.parse(text))
                .withMessageContaining(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "bm25(field: title) | bm25(title)",
                "bm25(field: title, label: x) | bm25(title,label:x)",
                "bm25(label: \"x y\", field: title) | bm25(title,label:x y)",
            })
    void acceptsNamedArguments(String text, String name) {
        assertThat(ExpressionParser.parse(text)).hasToString(name);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "1 + sum(a * b) | (+ 1 reduce(a * b, sum))",
                "reduce(a, max, x, y) | reduce(a, max, x, y)",
                "tensor<float>(x[2])(x + y) | tensor<float>(x[2])(x + y)",
                "tensor(x[2]):[1,2] | tensor(x[2]):[1.0, 2.0]",
                "tensor(y[2],x[2]):[[1,2],[3,4]] | tensor(x[2],y[2]):[[1.0, 3.0], [2.0, 4.0]]",
                "tensor(x[2],y[2]):[1,2,3,4] | tensor(x[2],y[2]):[[1.0, 2.0], [3.0, 4.0]]",
                "tensor(y[2],x[2]):[1,2,3,4] | tensor(x[2],y[2]):[[1.0, 3.0], [2.0, 4.0]]",
                "tensor(y[2],x[2]):[a,b,1,2] | tensor(x[2],y[2]):{{x:\"0\",y:\"0\"}:a,"
                        + " {x:\"1\",y:\"0\"}:b, {x:\"0\",y:\"1\"}:1, {x:\"1\",y:\"1\"}:2}",
                "tensor<int8>(x[4]):00FF7f80 | tensor<int8>(x[4]):[0, -1, 127, -128]",
                "tensor(x{}):{a:1,'b c':2} | tensor(x{}):{a:1.0, 'b c':2.0}",
                "tensor(k{},x[2]):{a:[1,2],b:[3,4]} | tensor(k{},x[2]):{a:[1.0, 2.0], b:[3.0,"
                        + " 4.0]}",
                "tensor<float>(k{},x[1]):{a:3F800000} | tensor<float>(k{},x[1]):{a:[1.0]}",
                "tensor(a{},b{}):{a1:{b1:1,b2:2}} | tensor(a{},b{}):{{a:a1,b:b1}:1.0,"
                        + " {a:a1,b:b2}:2.0}",
                "tensor(x{}):{} | tensor(x{}):{}",
                "tensor(x{}):{-1:2,-23:3} | tensor(x{}):{'-1':2.0, '-23':3.0}",
                "tensor(x{}):{{x:-1}:2} | tensor(x{}):{'-1':2.0}",
                "tensor(k{},m{},x[2]):{{m:b,k:a}:[1,2],{k:c,m:d}:[3,4]} |"
                        + " tensor(k{},m{},x[2]):{{k:a,m:b,x:0}:1.0, {k:a,m:b,x:1}:2.0, {k:c,m:d,x:0}:3.0, {k:c,m:d,x:1}:4.0}",
                "tensor(y[2],k{},x[2]):{{k:a}:[1,2,3,4]} | tensor(k{},x[2],y[2]):{a:[[1.0, 3.0], [2.0, 4.0]]}",
                "tensor():{{}:1} | 1",
                "{{}:1+a} | (+ 1 a)",
                "a{x:-1} | a{x:\"-1\"}",
                "a{-12} | a{\"-12\"}",
                "a{key:bar, i:2-j} | a{key:\"bar\", i:(2 - j)}",
                "a{2*j} | a{(2 * j)}",
                "a{x:(b)+1} | a{x:(b + 1)}",
                "a{x:- 1} | a{x:(-1)}",
                "a{x:1.5} | a{x:(1.5)}",
                "tensor(x\u001c{}):{a:1} | tensor(x{}):{a:1.0}",
                "tensor():{5} | 5",
                "tensor(x[2]):{{x:1}:3} | tensor(x[2]):[0.0, 3.0]",
                "tensor(x[3]):[NaN,-Infinity,-2.5e3] | tensor(x[3]):[NaN, -Infinity, -2500.0]",
                "{{x:a}:1,{x:b}:2} | tensor(x{}):{a:1.0, b:2.0}",
                "{} | 0",
                "tensor(x{}):{a:b+1} | tensor(x{}):{{x:\"a\"}:b + 1}",
                "a{x:1,y:(2+b)} | a{x:\"1\", y:(2 + b)}",
                "a{b} + a[0] | (+ a{\"b\"} a[0])",
                "-a{x:b} | (neg a{x:\"b\"})",
                "map(a, f(x)(x + 1)) | map(a, f(x)(x + 1))",
                "join(a, b, f(x,y)(x - y)) | join(a, b, f(x,y)(x - y))",
                "rename(a, (x,z), (z,x)) | rename(a, (x, z), (z, x))",
                "unpack_bits(a) | unpack_bits(a, float, big)",
                "cell_cast(a, int8) | cell_cast(a, int8)",
                "cell_order(a, min) | cell_order(a, min)",
                "switch(a) {case 1: 2, case 3: 4, default: 5} | (if (== a 1) 2 (if (== a 3) 4 5))",
                "max(a, x) | (max a x)",
                "random(i[2]) | tensor(i[2])(random)",
                "random(tag) | random(tag)",
                "top(2, a) | (* a filter_subspaces(cell_order(a, max) < 2, f(s)(s)))",
                "softmax(a, d) | (/ (exp a) reduce(exp(a), sum, d))",
                "matmul(a, b, d) | reduce(a * b, sum, d)",
                "l2_normalize(a, d) | (/ a (sqrt reduce(a * a, sum, d)))",
                "argmax(a, d) | (== a reduce(a, max, d))",
                "diag(i[2],j[2]) | tensor(i[2],j[2])(i == j)",
                "range(i[3]) | tensor(i[3])(i)",
                "range(i[3],j[2]) | tensor(i[3],j[2])(i + j)",
                "diag(i[2]) | tensor(i[2])(1)",
                "diag(i[2],j[2],k[3]) | tensor(i[2],j[2],k[3])((i == j) * (j == k))",
                "diag<float>(i[2], j[2]) * 2 | (* tensor<float>(i[2],j[2])(i == j) 2)",
                "range < int8 > (i[3]) | tensor<int8>(i[3])(i)",
                "random<float>(i[3]) | tensor<float>(i[3])(random)",
                "range < float + (i) | (< range (+ float i))",
                "expand(a, d) | (* tensor<int8>(d[1])(1) a)",
                "xw_plus_b(x, w, b, d) | (+ reduce(x * w, sum, d) b)",
            })
    void readsTensors(String text, String tree) {
        Expression expression = ExpressionParser.parse(text);

        assertThat(Trees.of(expression)).isEqualTo(tree);
        assertThat(ExpressionParser.parse(ExpressionText.of(expression))).isEqualTo(expression);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[1, 2] | a tensor needs its type in front",
                "{a:1} | a tensor needs its type in front",
                "tensor(x[2]):[1,2,3] | expected 2 values in dimension 'x', but got more",
                "tensor(x[2]):[1] | expected 2 values in dimension 'x', but got 1",
                "tensor(x[2]):{0:1,1:2} | expected '[' or hexadecimal digits but found '{'",
                "tensor(x{}):{{y:1}:2} | tensor(x{}) has no dimension 'y'",
                "tensor(x{},y{}):{{x:1}:2} | an address names every dimension of tensor(x{},y{})",
                "tensor(x[2]):{{x:2}:1} | label of dimension 'x' is not a number from 0 to 1",
                "tensor(x[0])(x) | size of dimension 'x' is '0'",
                "tensor(x{})(x) | a tensor that is generated has indexed dimensions alone",
                "tensor(x[2]) | expected ':' and a value, or '(' and an expression for each cell",
                "map(a, x) | expected a function such as f(x)(x + 1) but found 'x'",
                "join(a, b, f(x)(x)) | a function of 2 values is expected, not of 1",
                "f(x)(x + 1) | a lambda function can only be an argument of map, join and similar functions",
                "reduce(a, mean) | expected one of [avg, count, max, median, min, prod, sum]",
                "rename(a, (x,y), z) | 'rename' takes as many new names as old ones",
                "switch(a) {default: 1} | expected 'case' but found 'default'",
                "cell_cast(a, int16) | expected double, float, bfloat16 or int8 but found 'int16'",
                "1+sum(tensor(x[4194305]):{{x:1}:1}) | 1:7: a tensor would have 4194305 cells",
                "tensor(x[2147483647]):{} | 1:1: a tensor would have 2147483647 cells",
                "tensor(k{},x[2147483647]):{} | 1:1: a tensor would have 2147483647 cells",
                "tensor(k{},x[2147483647]):{{k:a,x:0}:1} | a tensor would have 2147483647 cells",
                "tensor(x[4194305]):{{x:1}:query(a)} | 1:1: a tensor would have 4194305 cells",
                "tensor(k{},x[3000000]):{{k:a,x:0}:1,{k:b,x:1}:a} | a tensor would have 6000000 cells",
            })
    void rejectsTensorsThatAreNotWellFormed(String text, String problem) {
        assertThatExceptionOfType(ExpressionSyntaxException.class)
                .isThrownBy(() -> ExpressionParser.parse(text))
                .withMessageContaining(problem);
    }

    @Test
    void refusesTreesThatGrowBeyondMeasure() {
        String text = "a";
        for (int i = 0; i < 30; i++) {
            text = "softmax(" + text + ", x)";
        }
        String grown = text;

        assertThatExceptionOfType(ExpressionSyntaxException.class)
                .isThrownBy(() -> ExpressionParser.parse(grown));
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
