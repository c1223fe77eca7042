package org.crabro.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegexBoundsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a*b+c?",
                "^https?://[^/]+/(.*)$",
                "a{1000}",
                "(a{10}){10}",
                "[](){}]{5}",
                "[[:alpha:]{]{3}",
                "\\({200}",
                "\\Q((((\\E",
                "\\p{Greek}{10}",
                "x{",
                "x{,5}",
                ")))",
                "[a"
            })
    void letsWhatPeopleWriteThrough(String regex) {
        assertThat(RegexBounds.problem(regex)).isEmpty();
    }

    @Test
    void refusesGroupsThatAreTooDeep() {
        String deep = "(?:".repeat(201) + "a" + ")*".repeat(201);

        assertThat(RegexBounds.problem(deep)).hasValue("groups more than 200 deep in each other");
        assertThat(RegexBounds.problem("\\(".repeat(5_000))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "((a{100}){100}){100}",
                "(((a{1000}){1000}){1000})",
                "(a{999999999}){999999999}",
                "(abc){50000}",
                "((a{1000}|b){200})",
                "([a-z]{500}){500}"
            })
    void refusesRepetitionsOfRepetitions(String regex) {
        assertThat(RegexBounds.problem(regex))
                .hasValue("more than 10000 steps with all its repetitions");
    }

    /** The compiler would not terminate for these. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u1c80",
                "a\u1c88?",
                "\\x{1C81}",
                "\\Qa\u1c82\\E",
                "\\\u1c83",
                "[\u1c84]",
                "[^a\u1c85]",
                "[\\x{1c86}]",
                "[b-\\x{10FFFF}]",
                "[^\\x80-\uffff]",
                "[\\x80-\\x{10FFFF}]",
                "[\\177-\\x{10FFFF}]",
                "[]-\\x{10FFFF}]",
                "[^]-\\x{FFFF}]",
                "[\\001B-\\x{FFFF}]"
            })
    void refusesLettersWhoseCaseCannotBeIgnored(String regex) {
        String problem = "characters from U+1C80 to U+1C88, whose case cannot be ignored";

        assertThat(RegexBounds.problem(regex, true)).hasValue(problem);
        assertThat(RegexBounds.problem("(?i)" + regex)).hasValue(problem);
        assertThat(RegexBounds.problem("(?P<a>(?si:" + regex + "))")).hasValue(problem);
        assertThat(RegexBounds.problem(regex)).isEmpty();
        assertThatCode(() -> Pattern.compile(regex)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[\\x00-\\x{10FFFF}]",
                "[^\\x00-\\x7f]",
                "[^a]",
                "\\pL",
                "[\\PL]",
                "\u0432[\u0430-\u044f]",
                "[\\x80-\\x{1C7F}\\x{1C89}-\\x{10FFFF}]",
                "[[:^alpha:]]"
            })
    void ignoresCaseOfOtherLetters(String regex) {
        assertThat(RegexBounds.problem(regex, true)).isEmpty();
        assertThatCode(() -> Pattern.compile(regex, Pattern.CASE_INSENSITIVE))
                .doesNotThrowAnyException();
    }

    /** A Java platform with another version of Unicode may have other letters. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void knowsEveryLetterWhoseCaseCannotBeIgnored() {
        for (int c = 0x80; c <= Character.MAX_CODE_POINT; c++) {
            String regex = "[\\x{%x}]".formatted(c);
            if (RegexBounds.problem(regex, true).isEmpty() && Character.isLetter(c)) {
                Pattern.compile(regex, Pattern.CASE_INSENSITIVE);
            }
        }
    }

    /** Accepted expressions are compiled without a stack overflow, to about the estimated size. */
    @Test
    void whatPassesCanBeCompiled() {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        List<String> pieces =
                List.of(
                        "(", ")", "(?:", "a", "b|", "[a-c]", "*", "+?", "{3}", "{2,9}", "{40}",
                        "{1,}", "\\", "\\d", "^", "$", ".", "\\p{L}", "[", "]", "{", "é");
        int compiled = 0;
        for (int round = 0; round < 20_000; round++) {
            var regex = new StringBuilder();
            for (int i = random.nextInt(25); i > 0; i--) {
                regex.append(pieces.get(random.nextInt(pieces.size())));
            }
            if (RegexBounds.problem(regex.toString()).isEmpty()) {
                try {
                    int size = Pattern.compile(regex.toString()).programSize();
                    assertThat(size)
                            .as("%s, seed %d", regex, seed)
                            .isLessThan(8 * RegexBounds.SIZE_MAX);
                    compiled++;
                } catch (PatternSyntaxException e) {
                    assertThat(e.getDescription()).isNotBlank();
                }
            }
        }
        assertThat(compiled).as("seed %d", seed).isGreaterThan(1_000);
    }

    @Test
    void readsLongExpressionsInTimeThatGrowsAsTheyDo() {
        for (String part : List.of("(", "[", "{", "\\Q", "{1", "a{2}", "[[:", "\\p{", "|", ")")) {
            assertThatCode(() -> RegexBounds.problem(part.repeat(300_000)))
                    .doesNotThrowAnyException();
        }
    }
}
