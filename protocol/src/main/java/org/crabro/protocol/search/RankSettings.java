package org.crabro.protocol.search;

import java.util.Map;

/**
 * How matches are scored.
 *
 * @param profile the rank profile's name
 * @param inputs by name, {@code q} for {@code query(q)}; already of the declared types
 * @param statistics where document frequencies and lengths come from
 * @param nowSeconds the query's time, seconds since the epoch: what {@code now} is
 */
public record RankSettings(
        String profile,
        Map<String, QueryInput> inputs,
        Statistics statistics,
        long nowSeconds,
        RankLimits limits) {
    public RankSettings {
        inputs = Map.copyOf(inputs);
    }

    /** Settings without limits. */
    public RankSettings(
            String profile,
            Map<String, QueryInput> inputs,
            Statistics statistics,
            long nowSeconds) {
        this(profile, inputs, statistics, nowSeconds, RankLimits.NONE);
    }

    /** Where the statistics of words come from. */
    public enum Statistics {
        /** Counted exactly over what is searched. */
        GROUP,
        /** Constants: every word is in none of one document, fields are 100 words long. */
        NONE
    }
}
