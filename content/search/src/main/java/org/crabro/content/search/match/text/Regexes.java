package org.crabro.content.search.match.text;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.Optional;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.text.RegexBounds;

/**
 * Compiles regular expressions of queries. Their matching time is linear in the length of the text.
 */
public final class Regexes {
    private Regexes() {}

    /**
     * Compiles an expression.
     *
     * @param cased whether the match is case-sensitive
     * @throws QueryRejectedException if the expression is invalid or exceeds a limit
     */
    public static Pattern of(String expression, boolean cased) {
        Optional<String> problem = RegexBounds.problem(expression, !cased);
        if (problem.isPresent()) {
            throw new QueryRejectedException("the regular expression has " + problem.get());
        }
        try {
            return Pattern.compile(
                    expression, cased ? Pattern.DOTALL : Pattern.DOTALL | Pattern.CASE_INSENSITIVE);
        } catch (PatternSyntaxException e) {
            throw new QueryRejectedException(
                    "the regular expression '%s' is wrong: %s at index %d"
                            .formatted(expression, e.getDescription(), e.getIndex()));
        }
    }
}
