package org.crabro.protocol.feed;

import java.util.List;

/**
 * The reply to a {@link FeedBatchRequest}.
 *
 * @param replies one for each write, in the same order
 */
public record FeedBatchReply(List<FeedReply> replies) {
    public FeedBatchReply {
        replies = List.copyOf(replies);
    }
}
