package org.crabro.protocol.feed;

import java.util.List;

/**
 * What became of a {@link FeedBatchRequest}.
 *
 * @param replies to each write, in their order
 */
public record FeedBatchReply(List<FeedReply> replies) {
    public FeedBatchReply {
        replies = List.copyOf(replies);
    }
}
