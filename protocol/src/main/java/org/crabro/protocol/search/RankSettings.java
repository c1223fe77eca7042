package org.crabro.protocol.search;

import java.util.Map;

/**
 * How matches are scored.
 *
 * @param profile the rank profile's name
 * @param inputs by name, {@code q} for {@code query(q)}; already of the declared types
 * @param statistics where document frequencies and lengths come from
 * @param nowSeconds the query's time, seconds since the epoch: what {@code now} is
 * @param limits how many hits later phases score, and which are left out
 * @param overrides what holds instead of what the profile says
 */
public record RankSettings(
        String profile,
        Map<String, QueryInput> inputs,
        Statistics statistics,
        long nowSeconds,
        RankLimits limits,
        RankOverrides overrides) {
    public RankSettings {
        inputs = Map.copyOf(inputs);
    }

    /** Settings without limits. */
    public RankSettings(
            String profile,
            Map<String, QueryInput> inputs,
            Statistics statistics,
            long nowSeconds) {
        this(profile, inputs, statistics, nowSeconds, RankLimits.NONE, RankOverrides.NONE);
    }

    /** Returns the same with other limits. */
    public RankSettings with(RankLimits others) {
        return new RankSettings(profile, inputs, statistics, nowSeconds, others, overrides);
    }

    /** Returns the same with other settings in place of the profile's. */
    public RankSettings with(RankOverrides others) {
        return new RankSettings(profile, inputs, statistics, nowSeconds, limits, others);
    }

    /** Returns the same with other inputs. */
    public RankSettings withInputs(Map<String, QueryInput> others) {
        return new RankSettings(profile, others, statistics, nowSeconds, limits, overrides);
    }

    /** Where the statistics of words come from. */
    public enum Statistics {
        /** Counted exactly over what is searched. */
        GROUP,
        /** Constants: every word is in none of one document, fields are 100 words long. */
        NONE
    }
}
