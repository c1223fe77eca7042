package org.crabro.container.query;

import java.time.Duration;
import org.crabro.container.http.BodyLimits;
import org.crabro.container.http.BodyMemory;
import org.crabro.container.http.HttpSettings.BodyTimes;
import org.crabro.container.llm.LanguageModelSettings;

/**
 * The bounds of queries.
 *
 * @param maxInFlight the largest number of concurrent queries; further queries return 429
 * @param query the bounds of one query
 * @param bodies the bounds of the bodies of queries
 * @param times how long queries may take
 * @param embeddingBytes the memory of the cache of embeddings of recent texts; 0 for no cache
 * @param models the bounds of language models
 */
public record SearchSettings(
        int maxInFlight,
        QueryBounds query,
        Bodies bodies,
        Times times,
        long embeddingBytes,
        LanguageModelSettings models) {
    /** The bounds of a server that sets none. */
    public static final SearchSettings DEFAULT =
            new SearchSettings(
                    1_000,
                    new QueryBounds(400, 1_000, 10_000, 100_000, 128L * 1024 * 1024),
                    new Bodies(4 * 1024 * 1024, 64 * 1024 * 1024),
                    new Times(
                            Duration.ofMillis(500), Duration.ofMinutes(10), Duration.ofSeconds(1)),
                    16 * 1024 * 1024,
                    LanguageModelSettings.DEFAULT);

    public SearchSettings {
        if (maxInFlight < 1 || embeddingBytes < 0) {
            throw new IllegalArgumentException(
                    "maxInFlight is %d, embeddingBytes %d; at least 1 and 0 are needed"
                            .formatted(maxInFlight, embeddingBytes));
        }
    }

    /**
     * The bounds of one query. A query beyond one of them returns 400.
     *
     * @param maxHits the largest number of hits
     * @param maxOffset the largest number of hits to skip
     * @param maxQueryItems the largest number of nodes in the tree
     * @param maxEmbeddedChars the length of the longest text in {@code embed(...)}
     * @param maxGroupingBytes the memory of the groups in a content node
     */
    public record QueryBounds(
            int maxHits,
            int maxOffset,
            int maxQueryItems,
            int maxEmbeddedChars,
            long maxGroupingBytes) {
        public QueryBounds {
            if (maxHits < 0 || maxOffset < 0 || maxQueryItems < 1) {
                throw new IllegalArgumentException(
                        "maxHits is %d, maxOffset %d, maxQueryItems %d; at least 0, 0 and 1 are needed"
                                .formatted(maxHits, maxOffset, maxQueryItems));
            }
            if (maxEmbeddedChars < 0 || maxGroupingBytes < 1) {
                throw new IllegalArgumentException(
                        "maxEmbeddedChars is %d, maxGroupingBytes %d; at least 0 and 1 are needed"
                                .formatted(maxEmbeddedChars, maxGroupingBytes));
            }
        }

        private QueryBounds with(int hits, int offset, int items) {
            return new QueryBounds(hits, offset, items, maxEmbeddedChars, maxGroupingBytes);
        }
    }

    /**
     * The bounds of the bodies of queries.
     *
     * @param maxBodyBytes the size of the largest body; a larger body returns 413
     * @param maxBodiesBytes the memory of all bodies; at the limit, queries return 429
     */
    public record Bodies(int maxBodyBytes, long maxBodiesBytes) {
        public Bodies {
            if (maxBodyBytes < 1 || maxBodiesBytes < maxBodyBytes) {
                throw new IllegalArgumentException(
                        "maxBodyBytes is %d, maxBodiesBytes %d, must be at least as much"
                                .formatted(maxBodyBytes, maxBodiesBytes));
            }
        }
    }

    /**
     * How long queries may take.
     *
     * @param defaultTimeout the timeout of a query that sets none
     * @param maxTimeout the longest timeout; a longer one is reduced to it
     * @param slow a query that takes longer is logged
     */
    public record Times(Duration defaultTimeout, Duration maxTimeout, Duration slow) {
        public Times {
            if (!defaultTimeout.isPositive()
                    || maxTimeout.compareTo(defaultTimeout) < 0
                    || slow.isNegative()) {
                throw new IllegalArgumentException(
                        "defaultTimeout is %s, must be above 0; maxTimeout is %s, must be at least as much; slow is %s"
                                .formatted(defaultTimeout, maxTimeout, slow));
            }
        }
    }

    /** Returns the memory for the bodies of all queries of a process. */
    public BodyMemory bodyMemory(BodyTimes bodyTimes) {
        return new BodyMemory(
                new BodyLimits(maxInFlight, bodies.maxBodiesBytes, bodyTimes.stalled()));
    }

    /** Returns these settings with other bounds of windows and trees. */
    SearchSettings withBounds(int hits, int offset, int items) {
        return new SearchSettings(
                maxInFlight,
                query.with(hits, offset, items),
                bodies,
                times,
                embeddingBytes,
                models);
    }

    /** Returns these settings with another timeout of queries that set none. */
    public SearchSettings withDefaultTimeout(Duration timeout) {
        return new SearchSettings(
                maxInFlight,
                query,
                bodies,
                new Times(timeout, times.maxTimeout, times.slow),
                embeddingBytes,
                models);
    }

    /** Returns these settings with another size of the cache of embeddings. */
    public SearchSettings withEmbeddingBytes(long bytes) {
        return new SearchSettings(maxInFlight, query, bodies, times, bytes, models);
    }

    /** Returns these settings with other bounds of language models. */
    public SearchSettings with(LanguageModelSettings other) {
        return new SearchSettings(maxInFlight, query, bodies, times, embeddingBytes, other);
    }
}
