package org.crabro.protocol.encoding;

import java.util.List;
import org.crabro.protocol.feed.EncodedWrite;
import org.crabro.protocol.feed.FeedBatchReply;
import org.crabro.protocol.feed.FeedBatchRequest;
import org.crabro.protocol.feed.OperationId;
import org.crabro.protocol.wire.RequestHeader;

/** The encoding of many writes, and of the replies to them, as bodies of messages. */
final class FeedBatchParts {
    private FeedBatchParts() {}

    static void write(MessageWriter out, FeedBatchRequest request, long nanoTime) {
        HeaderParts.write(out, request.header(), nanoTime);
        out.putList(request.writes(), write -> FeedRowParts.write(out, write));
        out.putList(request.ids(), id -> FeedParts.write(out, id));
    }

    static FeedBatchRequest readRequest(MessageReader in, long nanoTime) {
        RequestHeader header = HeaderParts.read(in, nanoTime);
        List<EncodedWrite> writes = in.readList(() -> FeedRowParts.readWrite(in));
        List<OperationId> ids = in.readList(() -> FeedParts.readOperationId(in));
        return in.readChecked(
                "an id for each write or none", () -> new FeedBatchRequest(header, writes, ids));
    }

    static void write(MessageWriter out, FeedBatchReply reply) {
        out.putList(reply.replies(), each -> FeedParts.write(out, each));
    }

    static FeedBatchReply readReply(MessageReader in) {
        return new FeedBatchReply(in.readList(() -> FeedParts.readFeedReply(in)));
    }
}
