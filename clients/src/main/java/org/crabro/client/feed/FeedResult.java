package org.crabro.client.feed;

import java.time.Duration;
import java.util.List;

/**
 * What became of a feed.
 *
 * @param stored operations that the server acknowledged
 * @param failed operations that it refused, or that got no answer
 * @param problems what went wrong, at most {@value FeedClient#PROBLEMS_KEPT} of them
 * @param took from the first request to the last answer
 */
public record FeedResult(long stored, long failed, List<String> problems, Duration took) {
    public FeedResult {
        problems = List.copyOf(problems);
    }
}
