package org.crabro.content.match;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import org.crabro.config.schema.MatchMode;

/** Compiles regular expressions of queries, which take time that is linear in the text. */
final class Regexes {
    private Regexes() {}

    /**
     * @throws QueryRejectedException if it is no regular expression
     */
    static Pattern of(String expression, MatchMode match) {
        try {
            return Pattern.compile(
                    expression,
                    match.cased() ? Pattern.DOTALL : Pattern.DOTALL | Pattern.CASE_INSENSITIVE);
        } catch (PatternSyntaxException e) {
            throw new QueryRejectedException(
                    "the regular expression '%s' is wrong: %s at index %d"
                            .formatted(expression, e.getDescription(), e.getIndex()));
        }
    }
}
