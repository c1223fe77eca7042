package org.crabro.protocol.encoding;

import java.util.List;
import java.util.Optional;
import org.crabro.protocol.feed.OperationId;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.feed.WriteRequest;
import org.crabro.protocol.wire.RequestHeader;

/**
 * The messages of writes in versions 1 and 2 of the formats, for a cluster in which some hosts have
 * an older release. Each kind of write had a request of its own.
 *
 * <p>Every method that decodes throws {@link WireFormatException} for bytes that are not a complete
 * message of its kind.
 */
public final class OlderWrites {
    private static final int REPLY = 2;
    private static final int BATCH_REPLY = 11;

    /** A kind of request. */
    public enum Kind {
        /** One operation. */
        FEED(1),
        /** One row with a condition. */
        FEED_ROW(12),
        /** Rows without conditions. */
        FEED_BATCH(10),
        /** The removal of a group. */
        REMOVE_GROUP(7);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        /** Returns the kind of request for a write. */
        public static Kind of(Write write) {
            return switch (write) {
                case Write.Row row -> row.condition().isNone() ? FEED_BATCH : FEED_ROW;
                case Write.Operation _ -> FEED;
                case Write.RemoveGroup _ -> REMOVE_GROUP;
            };
        }
    }

    private OlderWrites() {}

    /**
     * Encodes a request.
     *
     * @param request whose writes have the same {@link Kind#of kind}; only one, unless it is {@link
     *     Kind#FEED_BATCH}
     */
    public static byte[] encode(WriteRequest request, long nanoTime) {
        Write first = request.writes().getFirst();
        Kind kind = Kind.of(first);
        return MessageEncoding.message(
                kind.number,
                out -> {
                    HeaderParts.write(out, request.header(), nanoTime);
                    if (kind == Kind.FEED_BATCH) {
                        out.putList(
                                request.writes(),
                                write -> WriteParts.writeRow(out, (Write.Row) write));
                        out.putList(request.ids(), id -> WriteParts.write(out, id));
                    } else {
                        WriteParts.writeParts(out, first);
                        out.putOptional(
                                request.ids().stream().findFirst(),
                                id -> WriteParts.write(out, id));
                    }
                });
    }

    /** Decodes a request. */
    public static WriteRequest request(Kind kind, byte[] message, long nanoTime) {
        return MessageEncoding.body(
                "a " + kind,
                kind.number,
                message,
                in -> {
                    RequestHeader header = HeaderParts.read(in, nanoTime);
                    return switch (kind) {
                        case FEED_BATCH -> readRows(in, header);
                        case FEED_ROW -> readOne(in, header, WriteParts.readRow(in, true));
                        case FEED -> readOne(in, header, WriteParts.readOperationWrite(in));
                        case REMOVE_GROUP -> readOne(in, header, WriteParts.readRemoveGroup(in));
                    };
                });
    }

    private static WriteRequest readOne(MessageReader in, RequestHeader header, Write write) {
        Optional<OperationId> id = in.readOptional(() -> WriteParts.readOperationId(in));
        return new WriteRequest(header, write, id);
    }

    private static WriteRequest readRows(MessageReader in, RequestHeader header) {
        List<Write.Row> rows = in.readList(() -> WriteParts.readRow(in, false));
        List<OperationId> ids = in.readList(() -> WriteParts.readOperationId(in));
        return in.readChecked(
                "a row or more, and an id for each or none",
                () -> new WriteRequest(header, List.copyOf(rows), ids));
    }

    /** Encodes the replies to a request. */
    public static byte[] encode(Kind kind, List<WriteReply> replies) {
        return kind == Kind.FEED_BATCH
                ? MessageEncoding.message(BATCH_REPLY, out -> WriteParts.write(out, replies))
                : MessageEncoding.message(REPLY, out -> WriteParts.write(out, replies.getFirst()));
    }

    /** Decodes the replies to a request. */
    public static List<WriteReply> replies(Kind kind, byte[] message) {
        return kind == Kind.FEED_BATCH
                ? MessageEncoding.body(
                        "a FEED_BATCH_REPLY", BATCH_REPLY, message, WriteParts::readReplies)
                : MessageEncoding.body(
                        "a FEED_REPLY", REPLY, message, in -> List.of(WriteParts.readReply(in)));
    }
}
