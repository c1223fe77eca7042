package org.crabro.protocol.encoding;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.crabro.document.DocumentId;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.WriteCondition;
import org.crabro.protocol.feed.OperationId;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.feed.WriteRequest;
import org.crabro.protocol.wire.RequestHeader;

/** The encoding of writes, and of the replies to them, as bodies of messages. */
final class WriteParts {
    private static final int ROW = 0;
    private static final int CONDITIONAL_ROW = 1;
    private static final int OPERATION = 2;
    private static final int REMOVE_GROUP = 3;

    private static final int PUT = 0;
    private static final int REMOVE = 1;
    private static final int UPDATE = 2;

    private static final int STORED = 0;
    private static final int WRONG_OWNER = 1;
    private static final int REJECTED = 2;
    private static final int OVERLOADED = 3;
    private static final int OUT_OF_SPACE = 4;
    private static final int TIMED_OUT = 5;
    private static final int FAILED = 6;
    private static final int UPDATED_NOTHING = 7;
    private static final int CONDITION_NOT_MET = 8;
    private static final int UNAVAILABLE = 9;
    private static final int OUTCOME_UNKNOWN = 10;
    private static final int TOO_LARGE = 11;

    private WriteParts() {}

    static void write(MessageWriter out, WriteRequest request, long nanoTime) {
        HeaderParts.write(out, request.header(), nanoTime);
        out.putList(request.writes(), write -> write(out, write));
        out.putList(request.ids(), id -> write(out, id));
    }

    static WriteRequest readRequest(MessageReader in, long nanoTime) {
        RequestHeader header = HeaderParts.read(in, nanoTime);
        List<Write> writes = in.readList(() -> readWrite(in));
        List<OperationId> ids = in.readList(() -> readOperationId(in));
        return in.readChecked(
                "a write or more, an id for each or none, and the removal of a group alone",
                () -> new WriteRequest(header, writes, ids));
    }

    private static void write(MessageWriter out, Write write) {
        switch (write) {
            case Write.Row row when row.condition().isNone() -> {
                out.putByte(ROW);
                writeRow(out, row);
            }
            case Write.Row row -> {
                out.putByte(CONDITIONAL_ROW);
                writeParts(out, row);
            }
            case Write.Operation _ -> {
                out.putByte(OPERATION);
                writeParts(out, write);
            }
            case Write.RemoveGroup _ -> {
                out.putByte(REMOVE_GROUP);
                writeParts(out, write);
            }
        }
    }

    /** Writes all parts of a write, those of a row with its condition. */
    static void writeParts(MessageWriter out, Write write) {
        switch (write) {
            case Write.Row row -> {
                writeRow(out, row);
                write(out, row.condition());
                out.putBoolean(row.create());
            }
            case Write.Operation(var partition, var operation) -> {
                out.putInt(partition);
                write(out, operation.operation());
                write(out, operation.condition());
                out.putBoolean(operation.create());
            }
            case Write.RemoveGroup(var partition, var documentType, var group) -> {
                out.putInt(partition);
                out.putText(documentType);
                ValueParts.write(out, group);
            }
        }
    }

    private static Write readWrite(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case ROW -> readRow(in, false);
            case CONDITIONAL_ROW -> readRow(in, true);
            case OPERATION -> readOperationWrite(in);
            case REMOVE_GROUP -> readRemoveGroup(in);
            default -> throw in.unknown("the tag of a write", tag);
        };
    }

    static Write.Operation readOperationWrite(MessageReader in) {
        return new Write.Operation(
                in.readInt(),
                new ConditionalOperation(readOperation(in), readCondition(in), in.readBoolean()));
    }

    static Write.RemoveGroup readRemoveGroup(MessageReader in) {
        return new Write.RemoveGroup(in.readInt(), in.readText(), ValueParts.readGroup(in));
    }

    /** A row contains its id. */
    static void writeRow(MessageWriter out, Write.Row row) {
        out.putInt(row.partition());
        out.putBytes(row.bytes());
    }

    static Write.Row readRow(MessageReader in, boolean isConditional) {
        int partition = in.readInt();
        byte[] bytes = in.readBytes();
        DocumentId id =
                in.readChecked(
                        "a row with an id", () -> RowEncoding.id(MemorySegment.ofArray(bytes)));
        return isConditional
                ? new Write.Row(partition, id, bytes, readCondition(in), in.readBoolean())
                : new Write.Row(partition, id, bytes);
    }

    private static void write(MessageWriter out, DocumentOperation operation) {
        switch (operation) {
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

    private static void write(MessageWriter out, WriteCondition condition) {
        out.putOptional(condition.selection(), out::putText);
        out.putBoolean(condition.timestamp().isPresent());
        condition.timestamp().ifPresent(out::putLong);
    }

    private static WriteCondition readCondition(MessageReader in) {
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

    static void write(MessageWriter out, List<WriteReply> replies) {
        out.putList(replies, reply -> write(out, reply));
    }

    static List<WriteReply> readReplies(MessageReader in) {
        return in.readList(() -> readReply(in));
    }

    static void write(MessageWriter out, WriteReply reply) {
        switch (reply) {
            case WriteReply.Stored(var timestamp, var position) -> {
                out.putByte(STORED);
                out.putLong(timestamp);
                HeaderParts.write(out, position);
            }
            case WriteReply.Missing() -> out.putByte(UPDATED_NOTHING);
            case WriteReply.ConditionNotMet(var exists) -> {
                out.putByte(CONDITION_NOT_MET);
                out.putBoolean(exists);
            }
            case WriteReply.WrongOwner(var stateVersion) -> {
                out.putByte(WRONG_OWNER);
                out.putLong(stateVersion);
            }
            case WriteReply.Rejected(var reason) -> {
                out.putByte(REJECTED);
                out.putText(reason);
            }
            case WriteReply.TooLarge(var reason) -> {
                out.putByte(TOO_LARGE);
                out.putText(reason);
            }
            case WriteReply.Overloaded(var retryAfter) -> {
                out.putByte(OVERLOADED);
                out.putLong(retryAfter.toNanos());
            }
            case WriteReply.OutOfSpace(var reason) -> {
                out.putByte(OUT_OF_SPACE);
                out.putText(reason);
            }
            case WriteReply.TimedOut() -> out.putByte(TIMED_OUT);
            case WriteReply.Failed(var reason) -> {
                out.putByte(FAILED);
                out.putText(reason);
            }
            case WriteReply.Unavailable(var reason) -> {
                out.putByte(UNAVAILABLE);
                out.putText(reason);
            }
            case WriteReply.OutcomeUnknown(var reason, var isFinal) -> {
                out.putByte(OUTCOME_UNKNOWN);
                out.putText(reason);
                out.putBoolean(isFinal);
            }
        }
    }

    static WriteReply readReply(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case STORED -> new WriteReply.Stored(in.readLong(), HeaderParts.readPosition(in));
            case UPDATED_NOTHING -> new WriteReply.Missing();
            case CONDITION_NOT_MET -> new WriteReply.ConditionNotMet(in.readBoolean());
            case WRONG_OWNER -> new WriteReply.WrongOwner(in.readLong());
            case REJECTED -> new WriteReply.Rejected(in.readText());
            case OVERLOADED -> new WriteReply.Overloaded(Duration.ofNanos(in.readLong()));
            case OUT_OF_SPACE -> new WriteReply.OutOfSpace(in.readText());
            case TIMED_OUT -> new WriteReply.TimedOut();
            case FAILED -> new WriteReply.Failed(in.readText());
            case UNAVAILABLE -> new WriteReply.Unavailable(in.readText());
            case TOO_LARGE -> new WriteReply.TooLarge(in.readText());
            case OUTCOME_UNKNOWN -> new WriteReply.OutcomeUnknown(in.readText(), in.readBoolean());
            default -> throw in.unknown("the tag of a write reply", tag);
        };
    }
}
