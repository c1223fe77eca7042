package org.crabro.protocol.encoding;

import java.lang.foreign.MemorySegment;
import org.crabro.protocol.feed.ConditionalWrite;
import org.crabro.protocol.feed.EncodedWrite;
import org.crabro.protocol.feed.FeedRowRequest;

/** The encoding of rows to write, as parts of messages. A row contains its id. */
final class FeedRowParts {
    private FeedRowParts() {}

    static void write(MessageWriter out, FeedRowRequest request, long nanoTime) {
        HeaderParts.write(out, request.header(), nanoTime);
        write(out, request.write().write());
        FeedParts.write(out, request.write().condition());
        out.putBoolean(request.write().create());
        out.putOptional(request.id(), id -> FeedParts.write(out, id));
    }

    static FeedRowRequest read(MessageReader in, long nanoTime) {
        return new FeedRowRequest(
                HeaderParts.read(in, nanoTime),
                new ConditionalWrite(readWrite(in), FeedParts.readCondition(in), in.readBoolean()),
                in.readOptional(() -> FeedParts.readOperationId(in)));
    }

    static void write(MessageWriter out, EncodedWrite write) {
        out.putInt(write.partition());
        out.putBytes(write.row());
    }

    static EncodedWrite readWrite(MessageReader in) {
        int partition = in.readInt();
        byte[] row = in.readBytes();
        return in.readChecked(
                "a row with an id",
                () -> new EncodedWrite(partition, RowEncoding.id(MemorySegment.ofArray(row)), row));
    }
}
