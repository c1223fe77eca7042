package org.crabro.ranking.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfileFunctionsTest {
    private final ProfileFunctions functions =
            new ProfileFunctions(
                    Map.of(
                            "half", function("x / 2", "x"),
                            "text",
                                    function(
                                            "2 * bm25(field) + fieldMatch(field).matches", "field"),
                            "words", function("text(title) + text(body)"),
                            "both", function("text(x) + y", "x", "y"),
                            "title", function("attribute(title)"),
                            "abs", function("7"),
                            "freshness", function("freshness(time)"),
                            "max", function("a + b + 0 * min(a, b)", "a", "b"),
                            "loop", function("1 + pool"),
                            "pool", function("loop * 2")));

    @Test
    void replacesFunctionsWithAndWithoutArguments() {
        assertThat(expanded("half(now + 1) * 3")).isEqualTo("(now + 1) / 2 * 3");
        assertThat(expanded("words()"))
                .isEqualTo(
                        "2 * bm25(title) + fieldMatch(title).matches"
                                + " + (2 * bm25(body) + fieldMatch(body).matches)");
    }

    @Test
    void handsFieldsOverToFeatures() {
        assertThat(expanded("both(body, title)"))
                .isEqualTo("2 * bm25(body) + fieldMatch(body).matches + attribute(title)");
        assertThat(expanded("bm25(title)")).isEqualTo("bm25(title)");
    }

    @Test
    void allowsACallInItsOwnArgument() {
        assertThat(expanded("half(half(8))")).isEqualTo("8 / 2 / 2");
    }

    @Test
    void goesBeforeFeaturesAndFunctionsOfTheLanguage() {
        assertThat(expanded("freshness")).isEqualTo("freshness(time)");
        assertThat(expanded("max(1, 2)")).isEqualTo("1 + 2 + 0 * min(1, 2)");
        assertThat(expanded("abs + abs(-2)")).isEqualTo("7 + abs(-2)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    max(1, 2, 3)                   | 1 + max(2, 3)
                    abs() * abs                    | 7 * 7
                    softmax(now)                   | now * 2
                    top(now)                       | now * 3
                    sum(now, 1 + x)                | now - (1 + x)
                    sum(t, x)                      | reduce(t, sum, x)
                    tensor(5)                      | 5 * 4
                    map(t, f(x)(max(x, 1, 2)))     | map(t, f(x)(x + max(1, 2)))
                    softmax(softmax(max(1, 2, 3))) | (1 + max(2, 3)) * 2 * 2
                    softmax(softmax(t, x))         | softmax(t, x) * 2
                    rankingExpression('top(1)')    | 1 * 3
                    1 + softmax(a)[1]              | 1 + (a * 2)[1]
                    -softmax(a)^2                  | -(a * 2) ^ 2
                    softmax(a) < max(1, 2)         | a * 2 < max(1, 2)
                    """)
    void areCalledWhereTheFunctionOfTheLanguageCannotBe(String text, String expected) {
        assertThat(expanded(OF_LANGUAGE, text))
                .isEqualTo(ExpressionText.of(ExpressionParser.parse(expected)));
    }

    @Test
    void areReadInNoTimeHoweverDeepTheyNest() {
        String deep = "softmax(".repeat(60) + "max(1, 2, 3)" + ")".repeat(60);

        assertThat(expanded(OF_LANGUAGE, deep)).endsWith(" * 2".repeat(60));
        rejects(
                OF_LANGUAGE,
                "softmax(".repeat(60) + "max(1, 2, 3, 4)" + ")".repeat(60),
                "'max' takes 2 arguments, but 4 are given");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    1 + max(1, 2, 3, 4)   | 5 | 'max' takes 2 arguments, but 4 are given
                    max(1, 2, *)          | 11 | expected a value but found '*'
                    sum(t, 1 + 2, 3)      | 10 | expected an operator, ',' or ')' but found '+'
                    softmax()             | 9 | expected a value but found ')'
                    softmax(a).x          | 10 | expected an operator or ',' but found ')'
                    bm25(max(1, 2, 3, 4)) | 6 | 'max' takes 2 arguments, but 4 are given
                    """)
    void tellWhatTheLanguageExpectsWhereNeitherTakesACall(String text, int column, String problem) {
        ExpressionSyntaxException refusal = rejects(OF_LANGUAGE, text, problem);

        assertThat(refusal.origin().column()).isEqualTo(column);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    1 + max(1, 2, 3)        | 5 | function 'max' has 4 parameters, but 3 arguments are given
                    1 + abs()               | 5 | 'abs' takes 1 argument, but 0 are given
                    bm25(softmax(max(1, 2, 3))) | 14 | 'max' takes 2 arguments, but 3 are given
                    bm25(softmax(a))        | 15 | expected an operator or ',' but found ')'
                    2 * top(1)              | 10 | expected an operator or ',' but found ')'
                    """)
    void tellWhatTheLanguageExpectsWhereAnotherProfileAloneHasAFunction(
            String text, int column, String problem) {
        Expression elsewhere =
                ExpressionParser.parse(
                        text,
                        Map.of(
                                "max", Set.of(3),
                                "abs", Set.of(0),
                                "top", Set.of(1),
                                "softmax", Set.of(1)));

        assertThatExceptionOfType(ExpressionSyntaxException.class)
                .isThrownBy(() ->
                        new ProfileFunctions(Map.of("max", function("a", "a", "b", "c", "d")))
                                .expand(elsewhere))
                .satisfies(e -> assertThat(e.origin().column()).isEqualTo(column))
                .withMessageContaining(problem);
    }

    @Test
    void putsScriptsIntoTheirPlace() {
        assertThat(expanded("rankingExpression(\"half(4) + 1\")")).isEqualTo("4 / 2 + 1");
        assertThat(expanded("rankingExpression(title)")).isEqualTo("attribute(title)");
    }

    @Test
    void rejectsFunctionsThatCallThemselves() {
        rejects(
                "3 + loop",
                """
                1:1: function 'loop' calls itself
                  loop * 2
                  ^\
                """);
    }

    @Test
    void rejectsAWrongNumberOfArguments() {
        rejects(
                "1 + half(1, 2)",
                """
                1:5: function 'half' has 1 parameter, but 2 arguments are given
                  1 + half(1, 2)
                      ^\
                """);
    }

    @Test
    void boundsHowFarFunctionsGrow() {
        var doubling = new HashMap<String, ProfileFunctions.Function>();
        doubling.put("f0", function("now"));
        for (int i = 1; i <= 40; i++) {
            String before = "f" + (i - 1);
            doubling.put("f" + i, function(before + " + " + before));
        }

        assertThatExceptionOfType(ExpressionSyntaxException.class)
                .isThrownBy(
                        () -> new ProfileFunctions(doubling).expand(ExpressionParser.parse("f40")))
                .withMessageContaining("more than 100000 nodes");
    }

    private static final Map<String, ProfileFunctions.Function> OF_LANGUAGE =
            Map.of(
                    "max", function("a + max(b, c)", "a", "b", "c"),
                    "abs", function("7"),
                    "softmax", function("v * 2", "v"),
                    "top", function("v * 3", "v"),
                    "sum", function("v - w", "v", "w"),
                    "tensor", function("v * 4", "v"));

    private static final Map<String, Set<Integer>> DECLARED =
            Map.of(
                    "max", Set.of(3),
                    "abs", Set.of(0),
                    "softmax", Set.of(1),
                    "top", Set.of(1),
                    "sum", Set.of(2),
                    "tensor", Set.of(1));

    private static String expanded(Map<String, ProfileFunctions.Function> functions, String text) {
        return ExpressionText.of(
                new ProfileFunctions(functions).expand(ExpressionParser.parse(text, DECLARED)));
    }

    private static ExpressionSyntaxException rejects(
            Map<String, ProfileFunctions.Function> functions, String text, String problem) {
        var refusal =
                catchThrowableOfType(
                        ExpressionSyntaxException.class, () -> expanded(functions, text));
        assertThat(refusal).hasMessageContaining(problem);
        return refusal;
    }

    private String expanded(String text) {
        return ExpressionText.of(functions.expand(ExpressionParser.parse(text)));
    }

    private void rejects(String text, String message) {
        assertThatExceptionOfType(ExpressionSyntaxException.class)
                .isThrownBy(() -> functions.expand(ExpressionParser.parse(text)))
                .withMessage(message);
    }

    private static ProfileFunctions.Function function(String body, String... parameters) {
        return ProfileFunctions.Function.parse(List.of(parameters), body);
    }
}
