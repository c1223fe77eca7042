package org.crabro.container.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WildcardPatternTest {
    @ParameterizedTest
    @CsvSource(
            textBlock =
                    """
                    /search/*, /search/,      true
                    /search/*, /search/a/b,   true
                    /search/*, /search,       false
                    /ask,      /ask,          true
                    /ask,      /ask/,         false
                    *,         '',            true
                    find.*,    find.test,     true
                    *a*a,      a,             false
                    *a*a,      aa,            true
                    a*b*c,     abbbc,         true
                    a*b*c,     acbx,          false
                    """)
    void matches(String pattern, String text, boolean matches) {
        assertThat(WildcardPattern.of(pattern).matches(text)).isEqualTo(matches);
    }

    @Test
    void matchesAsAnExpressionWould() {
        long seed = Long.getLong("crabro.seed", System.nanoTime());
        var random = new Random(seed);
        for (int i = 0; i < 5_000; i++) {
            String pattern = text(random, "ab*", 8);
            String text = text(random, "ab", 8);
            Pattern same =
                    Pattern.compile(
                            Arrays.stream(pattern.split("\\*", -1))
                                    .map(Pattern::quote)
                                    .collect(Collectors.joining(".*")));

            assertThat(WildcardPattern.of(pattern).matches(text))
                    .as("%s of %s, -Dcrabro.seed=%d", pattern, text, seed)
                    .isEqualTo(same.matcher(text).matches());
        }
    }

    private static String text(Random random, String letters, int length) {
        return random.ints(random.nextInt(length), 0, letters.length())
                .mapToObj(at -> letters.substring(at, at + 1))
                .collect(Collectors.joining());
    }
}
