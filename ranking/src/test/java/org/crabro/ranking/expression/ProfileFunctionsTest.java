package org.crabro.ranking.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

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
