package org.crabro.container.query;

import java.time.Duration;
import org.crabro.container.http.BodyLimits;
import org.crabro.container.http.BodyMemory;
import org.crabro.container.http.HttpSettings.BodyTimes;

/**
 * The bounds of queries.
 *
 * @param maxInFlight queries beyond that many at once are answered with 429
 * @param maxHits more cannot be asked for
 * @param maxOffset more cannot be skipped
 * @param maxQueryItems a query tree with more nodes is refused
 * @param maxBodyBytes a longer body is answered with 413
 * @param maxBodiesBytes when the bodies of all queries under way take more, some get 429
 * @param maxEmbeddedChars a longer text in {@code embed(...)} is refused
 * @param maxGroupingBytes a query whose groups take more memory in a content node is refused
 * @param defaultTimeout how long a query may take unless it says otherwise
 * @param maxTimeout a query that asks for more gets this
 * @param slow a query that takes longer is logged
 */
public record SearchSettings(
        int maxInFlight,
        int maxHits,
        int maxOffset,
        int maxQueryItems,
        int maxBodyBytes,
        long maxBodiesBytes,
        int maxEmbeddedChars,
        long maxGroupingBytes,
        Duration defaultTimeout,
        Duration maxTimeout,
        Duration slow) {
    public SearchSettings {
        if (maxInFlight < 1 || maxHits < 0 || maxOffset < 0 || maxQueryItems < 1) {
            throw new IllegalArgumentException(
                    "maxInFlight is %d, maxHits %d, maxOffset %d, maxQueryItems %d; at least 1, 0, 0 and 1 are needed"
                            .formatted(maxInFlight, maxHits, maxOffset, maxQueryItems));
        }
        if (maxBodyBytes < 1
                || maxBodiesBytes < maxBodyBytes
                || maxEmbeddedChars < 0
                || maxGroupingBytes < 1) {
            throw new IllegalArgumentException(
                    "maxBodyBytes is %d, maxBodiesBytes %d, must be at least as much; maxEmbeddedChars is %d, maxGroupingBytes %d"
                            .formatted(
                                    maxBodyBytes,
                                    maxBodiesBytes,
                                    maxEmbeddedChars,
                                    maxGroupingBytes));
        }
        if (!defaultTimeout.isPositive()
                || maxTimeout.compareTo(defaultTimeout) < 0
                || slow.isNegative()) {
            throw new IllegalArgumentException(
                    "defaultTimeout is %s, must be above 0; maxTimeout is %s, must be at least as much; slow is %s"
                            .formatted(defaultTimeout, maxTimeout, slow));
        }
    }

    public static final SearchSettings DEFAULT =
            new SearchSettings(
                    1_000,
                    400,
                    1_000,
                    10_000,
                    4 * 1024 * 1024,
                    64 * 1024 * 1024,
                    100_000,
                    128L * 1024 * 1024,
                    Duration.ofMillis(500),
                    Duration.ofMinutes(10),
                    Duration.ofSeconds(1));

    /** Returns the memory for the bodies of all queries of a process. */
    public BodyMemory bodyMemory(BodyTimes times) {
        return new BodyMemory(new BodyLimits(maxInFlight, maxBodiesBytes, times.stalled()));
    }

    /** Returns these settings with other bounds for windows and trees. */
    SearchSettings withBounds(int hits, int offset, int items) {
        return new SearchSettings(
                maxInFlight,
                hits,
                offset,
                items,
                maxBodyBytes,
                maxBodiesBytes,
                maxEmbeddedChars,
                maxGroupingBytes,
                defaultTimeout,
                maxTimeout,
                slow);
    }

    /** Returns these settings with another time for queries that say none. */
    public SearchSettings withDefaultTimeout(Duration timeout) {
        return new SearchSettings(
                maxInFlight,
                maxHits,
                maxOffset,
                maxQueryItems,
                maxBodyBytes,
                maxBodiesBytes,
                maxEmbeddedChars,
                maxGroupingBytes,
                timeout,
                maxTimeout,
                slow);
    }
}
