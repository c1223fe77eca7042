package org.crabro.content.match;

import java.util.List;
import org.crabro.perf.FuzzTarget;

/** Numbers as words of queries write them, and the stems of words. */
public final class MatchTargets {
    private static final List<String> LANGUAGES =
            List.of("en", "de", "fi", "ar", "tr", "el", "hi", "ru", "nl", "yi", "id", "lt");

    private MatchTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.ofText("query-numbers", MatchTargets::number),
                FuzzTarget.ofText("stems", MatchTargets::stem));
    }

    private static void number(String text) {
        NumberText.parse(text);
        NumberText.range(true, text);
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
