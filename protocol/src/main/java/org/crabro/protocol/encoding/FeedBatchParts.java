package org.crabro.protocol.encoding;

import org.crabro.protocol.feed.FeedBatchReply;
import org.crabro.protocol.feed.FeedBatchRequest;

/** The encoding of many writes, and of the replies to them, as bodies of messages. */
final class FeedBatchParts {
    private FeedBatchParts() {}

    static void write(MessageWriter out, FeedBatchRequest request, long nanoTime) {
        HeaderParts.write(out, request.header(), nanoTime);
        out.putList(request.writes(), write -> FeedRowParts.write(out, write));
    }

    static FeedBatchRequest readRequest(MessageReader in, long nanoTime) {
        return new FeedBatchRequest(
                HeaderParts.read(in, nanoTime), in.readList(() -> FeedRowParts.readWrite(in)));
    }

    static void write(MessageWriter out, FeedBatchReply reply) {
        out.putList(reply.replies(), each -> FeedParts.write(out, each));
    }

    static FeedBatchReply readReply(MessageReader in) {
        return new FeedBatchReply(in.readList(() -> FeedParts.readFeedReply(in)));
    }
}
