package org.crabro.protocol.encoding;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.feed.WriteRequest;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;

/**
 * The bytes of the messages between container and content. Little-endian.
 *
 * <pre>
 *   0         1      2        6
 *   +---------+------+--------+----------------------+
 *   | version | kind | length | body                 |
 *   |         |      |        | ({@code length} bytes) |
 *   +---------+------+--------+----------------------+
 * </pre>
 *
 * <p>The format of bodies is described in {@code docs/formats/messages.md}. Of a deadline, the
 * remaining time is encoded. So encoding and decoding need the current time, on the scale of {@link
 * System#nanoTime()} of their process. Equal messages have equal bytes.
 *
 * {@snippet :
 * byte[] bytes = MessageEncoding.encode(request, System.nanoTime());
 * GetRequest received = MessageEncoding.getRequest(bytes, System.nanoTime());
 * }
 *
 * <p>Every method that decodes throws {@link WireFormatException} for bytes that are not a complete
 * message of its kind.
 */
public final class MessageEncoding {
    /** The maximum number of bytes of a message, including its header. */
    public static final int LENGTH_MAX = 256 << 20;

    /** The maximum depth of query trees and of nested arrays. */
    public static final int DEPTH_MAX = 300;

    /** The version that is written; others are rejected. */
    public static final int VERSION = 1;

    static final int LENGTH_OFFSET = 2;

    private enum Kind {
        WRITE_REQUEST,
        WRITE_REPLY,
        GET_REQUEST,
        GET_REPLY,
        SEARCH_REQUEST,
        SEARCH_REPLY,
        VISIT_REQUEST,
        VISIT_REPLY;

        int number() {
            return switch (this) {
                case WRITE_REQUEST -> 13;
                case WRITE_REPLY -> 14;
                case GET_REQUEST -> 3;
                case GET_REPLY -> 4;
                case SEARCH_REQUEST -> 5;
                case SEARCH_REPLY -> 6;
                case VISIT_REQUEST -> 8;
                case VISIT_REPLY -> 9;
            };
        }
    }

    private MessageEncoding() {}

    public static byte[] encode(WriteRequest request, long nanoTime) {
        return message(Kind.WRITE_REQUEST, out -> WriteParts.write(out, request, nanoTime));
    }

    public static WriteRequest writeRequest(byte[] message, long nanoTime) {
        return body(Kind.WRITE_REQUEST, message, in -> WriteParts.readRequest(in, nanoTime));
    }

    /** Encodes the reply to each write of a request. */
    public static byte[] encode(List<WriteReply> replies) {
        return message(Kind.WRITE_REPLY, out -> WriteParts.write(out, replies));
    }

    public static List<WriteReply> writeReplies(byte[] message) {
        return body(Kind.WRITE_REPLY, message, WriteParts::readReplies);
    }

    public static byte[] encode(GetRequest request, long nanoTime) {
        return message(Kind.GET_REQUEST, out -> GetParts.write(out, request, nanoTime));
    }

    public static GetRequest getRequest(byte[] message, long nanoTime) {
        return body(Kind.GET_REQUEST, message, in -> GetParts.readRequest(in, nanoTime));
    }

    public static byte[] encode(GetReply reply) {
        return message(Kind.GET_REPLY, out -> GetParts.write(out, reply));
    }

    public static GetReply getReply(byte[] message) {
        return body(Kind.GET_REPLY, message, GetParts::readReply);
    }

    public static byte[] encode(SearchRequest request, long nanoTime) {
        return message(Kind.SEARCH_REQUEST, out -> SearchParts.write(out, request, nanoTime));
    }

    public static SearchRequest searchRequest(byte[] message, long nanoTime) {
        return body(Kind.SEARCH_REQUEST, message, in -> SearchParts.readRequest(in, nanoTime));
    }

    public static byte[] encode(SearchReply reply) {
        return message(Kind.SEARCH_REPLY, out -> SearchReplyParts.write(out, reply));
    }

    public static SearchReply searchReply(byte[] message) {
        return body(Kind.SEARCH_REPLY, message, SearchReplyParts::readReply);
    }

    public static byte[] encode(VisitRequest request, long nanoTime) {
        return message(Kind.VISIT_REQUEST, out -> VisitParts.write(out, request, nanoTime));
    }

    public static VisitRequest visitRequest(byte[] message, long nanoTime) {
        return body(Kind.VISIT_REQUEST, message, in -> VisitParts.readRequest(in, nanoTime));
    }

    public static byte[] encode(VisitReply reply) {
        return message(Kind.VISIT_REPLY, out -> VisitParts.write(out, reply));
    }

    public static VisitReply visitReply(byte[] message) {
        return body(Kind.VISIT_REPLY, message, VisitParts::readReply);
    }

    /**
     * Returns the length of a message with its header.
     *
     * @param start the first bytes of the message, at least its header
     * @throws WireFormatException if they are not the start of a message of at most {@link
     *     #LENGTH_MAX} bytes
     */
    public static int length(byte[] start) {
        var in = new MessageReader(start);
        expect(0, "version " + VERSION, VERSION, in.readByte());
        in.readByte();
        int body = in.readInt();
        int header = in.offset();
        if (body < in.remaining() || body > LENGTH_MAX - header) {
            throw new WireFormatException(
                    LENGTH_OFFSET,
                    "a body of %d to %d bytes".formatted(in.remaining(), LENGTH_MAX - header),
                    Integer.toUnsignedString(body));
        }
        return header + body;
    }

    private static byte[] message(Kind kind, Consumer<MessageWriter> body) {
        return message(kind.number(), body);
    }

    static byte[] message(int kind, Consumer<MessageWriter> body) {
        var out = new MessageWriter();
        out.putByte(VERSION);
        out.putByte(kind);
        out.putInt(0);
        body.accept(out);
        return out.sealed(LENGTH_OFFSET);
    }

    private static <T> T body(Kind kind, byte[] message, Function<MessageReader, T> body) {
        return body("a " + kind, kind.number(), message, body);
    }

    static <T> T body(String name, int kind, byte[] message, Function<MessageReader, T> body) {
        var in = new MessageReader(message);
        expect(0, "version " + VERSION, VERSION, in.readByte());
        expect(1, name, kind, in.readByte());
        int length = in.readInt();
        if (length != in.remaining() || message.length > LENGTH_MAX) {
            throw new WireFormatException(
                    LENGTH_OFFSET,
                    "a body of %d bytes, at most %d with its header"
                            .formatted(in.remaining(), LENGTH_MAX),
                    Integer.toUnsignedString(length));
        }
        T read = body.apply(in);
        in.expectEnd();
        return read;
    }

    private static void expect(int offset, String what, int expected, int actual) {
        if (actual != expected) {
            throw new WireFormatException(offset, what, Integer.toString(actual));
        }
    }
}
