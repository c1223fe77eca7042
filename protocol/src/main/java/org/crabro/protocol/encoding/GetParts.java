package org.crabro.protocol.encoding;

import java.time.Duration;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;

/** The encoding of reads of documents, and their replies, as bodies of messages. */
final class GetParts {
    private static final int FOUND = 0;
    private static final int MISSING = 1;
    private static final int WRONG_OWNER = 2;
    private static final int TIMED_OUT = 3;
    private static final int FAILED = 4;
    private static final int OVERLOADED = 5;
    private static final int UNAVAILABLE = 6;

    private GetParts() {}

    static void write(MessageWriter out, GetRequest request, long nanoTime) {
        HeaderParts.write(out, request.header(), nanoTime);
        out.putInt(request.partition());
        ValueParts.write(out, request.id());
        out.putOptional(request.atLeast(), position -> HeaderParts.write(out, position));
    }

    static GetRequest readRequest(MessageReader in, long nanoTime) {
        return new GetRequest(
                HeaderParts.read(in, nanoTime),
                in.readInt(),
                ValueParts.readId(in),
                in.readOptional(() -> HeaderParts.readPosition(in)));
    }

    static void write(MessageWriter out, GetReply reply) {
        switch (reply) {
            case GetReply.Found(var document, var timestamp) -> {
                out.putByte(FOUND);
                ValueParts.write(out, document);
                out.putLong(timestamp);
            }
            case GetReply.Missing() -> out.putByte(MISSING);
            case GetReply.WrongOwner(var stateVersion) -> {
                out.putByte(WRONG_OWNER);
                out.putLong(stateVersion);
            }
            case GetReply.TimedOut() -> out.putByte(TIMED_OUT);
            case GetReply.Failed(var reason) -> {
                out.putByte(FAILED);
                out.putText(reason);
            }
            case GetReply.Unavailable(var reason) -> {
                out.putByte(UNAVAILABLE);
                out.putText(reason);
            }
            case GetReply.Overloaded(var retryAfter) -> {
                out.putByte(OVERLOADED);
                out.putLong(retryAfter.toNanos());
            }
        }
    }

    static GetReply readReply(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case FOUND -> new GetReply.Found(ValueParts.readDocument(in), in.readLong());
            case MISSING -> new GetReply.Missing();
            case WRONG_OWNER -> new GetReply.WrongOwner(in.readLong());
            case TIMED_OUT -> new GetReply.TimedOut();
            case FAILED -> new GetReply.Failed(in.readText());
            case UNAVAILABLE -> new GetReply.Unavailable(in.readText());
            case OVERLOADED -> new GetReply.Overloaded(Duration.ofNanos(in.readLong()));
            default -> throw in.unknown("the tag of a get reply", tag);
        };
    }
}
