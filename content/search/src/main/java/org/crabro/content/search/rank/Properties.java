package org.crabro.content.search.rank;

import org.crabro.config.schema.RankProfile;
import org.crabro.content.search.query.QueryRejectedException;

/** Reads rank properties. */
public final class Properties {
    private Properties() {}

    /**
     * Returns a property as a number; {@code otherwise} if it is not set.
     *
     * @throws QueryRejectedException if it is not a number
     */
    public static double number(RankProfile profile, String name, double otherwise) {
        String text = profile.settings().properties().get(name);
        return text == null ? otherwise : parse(name, text);
    }

    /**
     * Parses a property as a number.
     *
     * @throws QueryRejectedException if it is not a number
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
