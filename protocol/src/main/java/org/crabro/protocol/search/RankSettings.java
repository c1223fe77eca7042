package org.crabro.protocol.search;

import java.util.Map;

/**
 * How matches are scored.
 *
 * @param profile the name of the rank profile
 * @param inputs by name, {@code q} for {@code query(q)}; already converted to the declared types
 * @param statistics the source of document frequencies and lengths
 * @param nowSeconds the query's time, seconds since the epoch: the value of {@code now}
 * @param limits limits of scored and returned documents
 * @param overrides settings with precedence over the profile
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

    /** Returns the same settings with other limits. */
    public RankSettings with(RankLimits others) {
        return new RankSettings(profile, inputs, statistics, nowSeconds, others, overrides);
    }

    /** Returns the same settings with other overrides. */
    public RankSettings with(RankOverrides others) {
        return new RankSettings(profile, inputs, statistics, nowSeconds, limits, others);
    }

    /** Returns the same settings with other inputs. */
    public RankSettings withInputs(Map<String, QueryInput> others) {
        return new RankSettings(profile, others, statistics, nowSeconds, limits, overrides);
    }

    /** The source of the statistics of words. */
    public enum Statistics {
        /** Counted exactly over the searched documents. */
        GROUP,
        /**
         * Constants: there is one document without any of the words, and fields are 100 words long.
         */
        NONE
    }
}
