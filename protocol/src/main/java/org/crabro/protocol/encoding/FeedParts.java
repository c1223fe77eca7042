package org.crabro.protocol.encoding;

import java.time.Duration;
import java.util.OptionalLong;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.WriteCondition;
import org.crabro.protocol.feed.FeedReply;
import org.crabro.protocol.feed.FeedRequest;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.OperationId;
import org.crabro.protocol.feed.RemoveGroupRequest;

/**
 * The encoding of writes and reads of documents, removals of groups, and their replies, as bodies
 * of messages.
 */
final class FeedParts {
    private static final int PUT = 0;
    private static final int REMOVE = 1;
    private static final int UPDATE = 2;

    private static final int STORED = 0;
    private static final int FEED_WRONG_OWNER = 1;
    private static final int REJECTED = 2;
    private static final int OVERLOADED = 3;
    private static final int OUT_OF_SPACE = 4;
    private static final int FEED_TIMED_OUT = 5;
    private static final int FEED_FAILED = 6;
    private static final int UPDATED_NOTHING = 7;
    private static final int CONDITION_NOT_MET = 8;
    private static final int FEED_UNAVAILABLE = 9;
    private static final int OUTCOME_UNKNOWN = 10;
    private static final int TOO_LARGE = 11;

    private static final int FOUND = 0;
    private static final int MISSING = 1;
    private static final int GET_WRONG_OWNER = 2;
    private static final int GET_TIMED_OUT = 3;
    private static final int GET_FAILED = 4;
    private static final int GET_OVERLOADED = 5;
    private static final int GET_UNAVAILABLE = 6;

    private FeedParts() {}

    static void write(MessageWriter out, FeedRequest request, long nanoTime) {
        HeaderParts.write(out, request.header(), nanoTime);
        out.putInt(request.partition());
        switch (request.operation()) {
            case DocumentOperation.Put(var document) -> {
                out.putByte(PUT);
                ValueParts.write(out, document);
            }
            case DocumentOperation.Update(var id, var updates) -> {
                out.putByte(UPDATE);
                ValueParts.write(out, id);
                out.putList(updates, update -> UpdateParts.write(out, update));
            }
            case DocumentOperation.Remove(var id) -> {
                out.putByte(REMOVE);
                ValueParts.write(out, id);
            }
        }
        write(out, request.condition());
        out.putBoolean(request.create());
        out.putOptional(request.id(), id -> write(out, id));
    }

    static void write(MessageWriter out, OperationId id) {
        out.putLong(id.session());
        out.putLong(id.number());
        out.putLong(id.lowest());
        out.putBoolean(id.isRetry());
    }

    static OperationId readOperationId(MessageReader in) {
        long session = in.readLong();
        long number = in.readLong();
        long lowest = in.readLong();
        boolean isRetry = in.readBoolean();
        return in.readChecked(
                "a number that is not below the lowest one",
                () -> new OperationId(session, number, lowest, isRetry));
    }

    static void write(MessageWriter out, WriteCondition condition) {
        out.putOptional(condition.selection(), out::putText);
        out.putBoolean(condition.timestamp().isPresent());
        condition.timestamp().ifPresent(out::putLong);
    }

    static FeedRequest readFeedRequest(MessageReader in, long nanoTime) {
        return new FeedRequest(
                HeaderParts.read(in, nanoTime),
                in.readInt(),
                readOperation(in),
                readCondition(in),
                in.readBoolean(),
                in.readOptional(() -> readOperationId(in)));
    }

    static WriteCondition readCondition(MessageReader in) {
        return new WriteCondition(
                in.readOptional(in::readText),
                in.readBoolean() ? OptionalLong.of(in.readLong()) : OptionalLong.empty());
    }

    private static DocumentOperation readOperation(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case PUT -> new DocumentOperation.Put(ValueParts.readDocument(in));
            case UPDATE ->
                    new DocumentOperation.Update(
                            ValueParts.readId(in), in.readList(() -> UpdateParts.read(in)));
            case REMOVE -> new DocumentOperation.Remove(ValueParts.readId(in));
            default -> throw in.unknown("the tag of an operation", tag);
        };
    }

    static void write(MessageWriter out, RemoveGroupRequest request, long nanoTime) {
        HeaderParts.write(out, request.header(), nanoTime);
        out.putInt(request.partition());
        out.putText(request.documentType());
        ValueParts.write(out, request.group());
        out.putOptional(request.id(), id -> write(out, id));
    }

    static RemoveGroupRequest readRemoveGroupRequest(MessageReader in, long nanoTime) {
        return new RemoveGroupRequest(
                HeaderParts.read(in, nanoTime),
                in.readInt(),
                in.readText(),
                ValueParts.readGroup(in),
                in.readOptional(() -> readOperationId(in)));
    }

    static void write(MessageWriter out, FeedReply reply) {
        switch (reply) {
            case FeedReply.Stored(var timestamp, var position) -> {
                out.putByte(STORED);
                out.putLong(timestamp);
                HeaderParts.write(out, position);
            }
            case FeedReply.Missing() -> out.putByte(UPDATED_NOTHING);
            case FeedReply.ConditionNotMet(var exists) -> {
                out.putByte(CONDITION_NOT_MET);
                out.putBoolean(exists);
            }
            case FeedReply.WrongOwner(var stateVersion) -> {
                out.putByte(FEED_WRONG_OWNER);
                out.putLong(stateVersion);
            }
            case FeedReply.Rejected(var reason) -> {
                out.putByte(REJECTED);
                out.putText(reason);
            }
            case FeedReply.TooLarge(var reason) -> {
                out.putByte(TOO_LARGE);
                out.putText(reason);
            }
            case FeedReply.Overloaded(var retryAfter) -> {
                out.putByte(OVERLOADED);
                out.putLong(retryAfter.toNanos());
            }
            case FeedReply.OutOfSpace(var reason) -> {
                out.putByte(OUT_OF_SPACE);
                out.putText(reason);
            }
            case FeedReply.TimedOut() -> out.putByte(FEED_TIMED_OUT);
            case FeedReply.Failed(var reason) -> {
                out.putByte(FEED_FAILED);
                out.putText(reason);
            }
            case FeedReply.Unavailable(var reason) -> {
                out.putByte(FEED_UNAVAILABLE);
                out.putText(reason);
            }
            case FeedReply.OutcomeUnknown(var reason, var isFinal) -> {
                out.putByte(OUTCOME_UNKNOWN);
                out.putText(reason);
                out.putBoolean(isFinal);
            }
        }
    }

    static FeedReply readFeedReply(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case STORED -> new FeedReply.Stored(in.readLong(), HeaderParts.readPosition(in));
            case UPDATED_NOTHING -> new FeedReply.Missing();
            case CONDITION_NOT_MET -> new FeedReply.ConditionNotMet(in.readBoolean());
            case FEED_WRONG_OWNER -> new FeedReply.WrongOwner(in.readLong());
            case REJECTED -> new FeedReply.Rejected(in.readText());
            case OVERLOADED -> new FeedReply.Overloaded(Duration.ofNanos(in.readLong()));
            case OUT_OF_SPACE -> new FeedReply.OutOfSpace(in.readText());
            case FEED_TIMED_OUT -> new FeedReply.TimedOut();
            case FEED_FAILED -> new FeedReply.Failed(in.readText());
            case FEED_UNAVAILABLE -> new FeedReply.Unavailable(in.readText());
            case TOO_LARGE -> new FeedReply.TooLarge(in.readText());
            case OUTCOME_UNKNOWN -> new FeedReply.OutcomeUnknown(in.readText(), in.readBoolean());
            default -> throw in.unknown("the tag of a feed reply", tag);
        };
    }

    static void write(MessageWriter out, GetRequest request, long nanoTime) {
        HeaderParts.write(out, request.header(), nanoTime);
        out.putInt(request.partition());
        ValueParts.write(out, request.id());
        out.putOptional(request.atLeast(), position -> HeaderParts.write(out, position));
    }

    static GetRequest readGetRequest(MessageReader in, long nanoTime) {
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
                out.putByte(GET_WRONG_OWNER);
                out.putLong(stateVersion);
            }
            case GetReply.TimedOut() -> out.putByte(GET_TIMED_OUT);
            case GetReply.Failed(var reason) -> {
                out.putByte(GET_FAILED);
                out.putText(reason);
            }
            case GetReply.Unavailable(var reason) -> {
                out.putByte(GET_UNAVAILABLE);
                out.putText(reason);
            }
            case GetReply.Overloaded(var retryAfter) -> {
                out.putByte(GET_OVERLOADED);
                out.putLong(retryAfter.toNanos());
            }
        }
    }

    static GetReply readGetReply(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case FOUND -> new GetReply.Found(ValueParts.readDocument(in), in.readLong());
            case MISSING -> new GetReply.Missing();
            case GET_WRONG_OWNER -> new GetReply.WrongOwner(in.readLong());
            case GET_TIMED_OUT -> new GetReply.TimedOut();
            case GET_FAILED -> new GetReply.Failed(in.readText());
            case GET_UNAVAILABLE -> new GetReply.Unavailable(in.readText());
            case GET_OVERLOADED -> new GetReply.Overloaded(Duration.ofNanos(in.readLong()));
            default -> throw in.unknown("the tag of a get reply", tag);
        };
    }
}
