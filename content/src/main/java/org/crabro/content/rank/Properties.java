package org.crabro.content.rank;

import org.crabro.config.schema.RankProfile;
import org.crabro.content.query.QueryRejectedException;

/** Reads rank properties. */
final class Properties {
    private Properties() {}

    /**
     * Returns the number that a property is, or {@code otherwise}.
     *
     * @throws QueryRejectedException if it is no number
     */
    static double number(RankProfile profile, String name, double otherwise) {
        String text = profile.settings().properties().get(name);
        return text == null ? otherwise : parse(name, text);
    }

    /**
     * Returns the number that a property is.
     *
     * @throws QueryRejectedException if it is none
     */
    static double parse(String name, String text) {
        try {
            return Double.parseDouble(text.strip());
        } catch (NumberFormatException e) {
            throw new QueryRejectedException(
                    "rank property %s is '%s' where a number is expected".formatted(name, text));
        }
    }
}
