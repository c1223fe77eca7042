package org.crabro.client.feed;

import java.time.Duration;
import java.util.List;

/**
 * The result of a feed.
 *
 * @param stored operations that the server acknowledged
 * @param failed operations that it rejected or did not answer
 * @param problems the first errors, at most {@value FeedClient#PROBLEMS_KEPT}
 * @param took from the first request to the last answer
 */
public record FeedResult(long stored, long failed, List<String> problems, Duration took) {
    public FeedResult {
        problems = List.copyOf(problems);
    }
}
