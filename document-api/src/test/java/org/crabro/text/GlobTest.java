package org.crabro.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobTest {
    private static final long SEED = Long.getLong("crabro.seed", System.nanoTime());

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
                    '',        '',            true
                    '',        a,             false
                    **,        a,             true
                    find.*,    find.test,     true
                    *a*a,      a,             false
                    *a*a,      aa,            true
                    a*b*c,     abbbc,         true
                    a*b*c,     acbx,          false
                    *😀,       a😀,           true
                    *?,        a,             false
                    a?c,       a?c,           true
                    a?c,       abc,           false
                    """)
    void matchesAnyTextAtAStar(String pattern, String text, boolean matches) {
        assertThat(Glob.ofStars(pattern).matches(text)).isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource(
            textBlock =
                    """
                    a?c,    abc,    true
                    a?c,    a?c,    true
                    a?c,    ac,     false
                    a?c,    a😀c,   true
                    a??c,   a😀c,   false
                    ?,      '',     false
                    ?*,     '',     false
                    ?*,     a,      true
                    *?,     a,      true
                    *?b,    ab,     true
                    *?b,    bb,     true
                    *?b,    b,      false
                    /a/*,   /a/b,   true
                    *a*a,   a,      false
                    """)
    void matchesOneCharacterAtAMark(String pattern, String text, boolean matches) {
        assertThat(Glob.of(pattern).matches(text)).isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource({
        "abc, true, true",
        "'', true, true",
        "a*, false, false",
        "a?, false, true",
    })
    void isPlainIfItMatchesOnlyItself(String pattern, boolean isPlain, boolean isPlainWithMarks) {
        assertThat(Glob.of(pattern).isPlain()).isEqualTo(isPlain);
        assertThat(Glob.ofStars(pattern).isPlain()).isEqualTo(isPlainWithMarks);
    }

    @Test
    void matchesAsAnExpressionWould() {
        var random = new Random(SEED);
        for (int i = 0; i < 5_000; i++) {
            String pattern = text(random, "ab*?", 8);
            String text = text(random, "ab?", 8);

            for (boolean hasMarks : new boolean[] {false, true}) {
                assertThat(new Glob(pattern, hasMarks).matches(text))
                        .as("%s of %s, -Dcrabro.seed=%d", pattern, text, SEED)
                        .isEqualTo(expression(pattern, hasMarks).matcher(text).matches());
            }
        }
    }

    private static Pattern expression(String pattern, boolean hasMarks) {
        return Pattern.compile(
                pattern.chars()
                        .mapToObj(each ->
                                each == '*'
                                        ? ".*"
                                        : hasMarks && each == '?'
                                                ? "."
                                                : Pattern.quote(Character.toString(each)))
                        .collect(Collectors.joining()));
    }

    private static String text(Random random, String letters, int length) {
        return random.ints(random.nextInt(length), 0, letters.length())
                .mapToObj(at -> letters.substring(at, at + 1))
                .collect(Collectors.joining());
    }

    /** Each star could end at each character of the text: their combinations are never tried. */
    @ParameterizedTest
    @CsvSource({
        "*a, 3",
        "*?a, 4",
        "a*, 3",
        "*, 2",
        "?*, 3",
        "*aaaaaaaab, 10",
    })
    void comparesEachCharacterOnceForEachCharacterBetweenStars(String part, int each) {
        String text = "a".repeat(10_000);
        String pattern = part.repeat(1_000) + "*b";
        var compared = new AtomicLong();

        boolean matches = Glob.of(pattern).matches(text, compared::addAndGet);

        assertThat(matches).isFalse();
        assertThat(compared.get()).isLessThanOrEqualTo((long) each * text.length());
    }
}
