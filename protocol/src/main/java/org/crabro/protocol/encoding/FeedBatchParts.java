package org.crabro.protocol.encoding;

import org.crabro.protocol.feed.FeedBatchReply;
import org.crabro.protocol.feed.FeedBatchRequest;
import org.crabro.protocol.feed.OperationId;

/** The encoding of many writes, and of the replies to them, as bodies of messages. */
final class FeedBatchParts {
    private FeedBatchParts() {}

    static void write(MessageWriter out, FeedBatchRequest request, long nanoTime) {
        HeaderParts.write(out, request.header(), nanoTime);
        out.putList(request.writes(), write -> FeedRowParts.write(out, write));
        out.putOptional(request.first(), first -> write(out, first));
    }

    static FeedBatchRequest readRequest(MessageReader in, long nanoTime) {
        return new FeedBatchRequest(
                HeaderParts.read(in, nanoTime),
                in.readList(() -> FeedRowParts.readWrite(in)),
                in.readOptional(() -> readOperation(in)));
    }

    private static void write(MessageWriter out, OperationId operation) {
        out.putLong(operation.session());
        out.putLong(operation.number());
        out.putLong(operation.lowest());
        out.putBoolean(operation.isRetry());
    }

    private static OperationId readOperation(MessageReader in) {
        long session = in.readLong();
        long number = in.readLong();
        long lowest = in.readLong();
        boolean isRetry = in.readBoolean();
        return in.readChecked(
                "a number that is not below the lowest one",
                () -> new OperationId(session, number, lowest, isRetry));
    }

    static void write(MessageWriter out, FeedBatchReply reply) {
        out.putList(reply.replies(), each -> FeedParts.write(out, each));
    }

    static FeedBatchReply readReply(MessageReader in) {
        return new FeedBatchReply(in.readList(() -> FeedParts.readFeedReply(in)));
    }
}
