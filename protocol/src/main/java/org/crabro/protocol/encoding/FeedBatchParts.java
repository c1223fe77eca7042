package org.crabro.protocol.encoding;

import java.lang.foreign.MemorySegment;
import org.crabro.protocol.feed.EncodedWrite;
import org.crabro.protocol.feed.FeedBatchReply;
import org.crabro.protocol.feed.FeedBatchRequest;

/** Many writes, and the replies to them, as bodies of messages. A row says its id itself. */
final class FeedBatchParts {
    private FeedBatchParts() {}

    static void write(MessageWriter out, FeedBatchRequest request, long nanoTime) {
        HeaderParts.write(out, request.header(), nanoTime);
        out.putList(
                request.writes(),
                write -> {
                    out.putInt(write.partition());
                    out.putBytes(write.row());
                });
    }

    static FeedBatchRequest readRequest(MessageReader in, long nanoTime) {
        return new FeedBatchRequest(
                HeaderParts.read(in, nanoTime), in.readList(() -> readWrite(in)));
    }

    private static EncodedWrite readWrite(MessageReader in) {
        int partition = in.readInt();
        byte[] row = in.readBytes();
        return in.readChecked(
                "a row with an id",
                () -> new EncodedWrite(partition, RowEncoding.id(MemorySegment.ofArray(row)), row));
    }

    static void write(MessageWriter out, FeedBatchReply reply) {
        out.putList(reply.replies(), each -> FeedParts.write(out, each));
    }

    static FeedBatchReply readReply(MessageReader in) {
        return new FeedBatchReply(in.readList(() -> FeedParts.readFeedReply(in)));
    }
}
