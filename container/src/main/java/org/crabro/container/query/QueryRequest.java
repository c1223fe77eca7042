package org.crabro.container.query;

import java.time.Instant;

/**
 * A search request: its parameters, its sender, and the time.
 *
 * @param arrivalNanos when the request arrived, on the scale of {@link System#nanoTime()}; timeouts
 *     start here
 * @param now the present for ranking, unless a parameter sets another one
 */
public record QueryRequest(
        Parameters parameters, QuerySender sender, long arrivalNanos, Instant now) {
    /** Returns the same request with other parameters. */
    public QueryRequest with(Parameters others) {
        return new QueryRequest(others, sender, arrivalNanos, now);
    }
}
