package org.crabro.content.search.match;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.re2j.Pattern;
import java.util.List;
import org.crabro.config.stemming.Stemmer;
import org.crabro.content.search.match.text.Regexes;
import org.crabro.content.search.match.text.WordRule;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.perf.fuzz.FuzzTarget;
import org.crabro.text.RegexBounds;

/** Numbers as words of queries write them, stems of words, and regular expressions. */
public final class MatchTargets {
    private static final List<String> LANGUAGES =
            List.of("en", "de", "fi", "ar", "tr", "el", "hi", "ru", "nl", "yi", "id", "lt");

    /** Matching takes the product of both: 2 seconds at most. */
    private static final int TEXT_BYTES_MAX = 200;

    private static final int STATES_MAX = 8 * RegexBounds.SIZE_MAX;

    private MatchTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.ofText("query-numbers", MatchTargets::number),
                FuzzTarget.ofText("stems", MatchTargets::stem),
                FuzzTarget.ofText(
                                "regular-expressions",
                                MatchTargets::expression,
                                QueryRejectedException.class)
                        .slow());
    }

    /**
     * The first line is an expression, the rest a text. An expression within the bounds compiles to
     * a bounded program, and matches the UTF-8 of a text where it matches the text.
     */
    private static void expression(String input) {
        String[] parts = input.split("\n", 2);
        byte[] text = (parts.length == 1 ? "" : parts[1]).getBytes(UTF_8);
        int length = Math.min(text.length, TEXT_BYTES_MAX);
        if (RegexBounds.problem(parts[0]).isPresent()) {
            return;
        }
        for (boolean cased : List.of(true, false)) {
            Pattern pattern = Regexes.of(parts[0], cased);
            if (pattern.programSize() > STATES_MAX) {
                throw new AssertionError(pattern.programSize() + " states");
            }
            String decoded = new String(text, 0, length, UTF_8);
            byte[] encoded = decoded.getBytes(UTF_8);
            var test = new WordRule.RegexMatcher(parts[0], cased, new WorkMeter());
            if (test.fits(encoded, encoded.length) != pattern.matcher(decoded).find()) {
                throw new AssertionError("the UTF-8 of the text matches in another way");
            }
        }
    }

    private static void number(String text) {
        NumberRangeParser.parse(text);
        NumberRangeParser.range(true, text);
    }

    private static void stem(String text) {
        for (String language : LANGUAGES) {
            for (Stemmer stemmer : Stemmer.all(language)) {
                stemmer.stem(text.toCharArray(), text.length());
                if (stemmer.length() > stemmer.buffer().length) {
                    throw new AssertionError("a stem longer than what it is in");
                }
            }
        }
    }
}
