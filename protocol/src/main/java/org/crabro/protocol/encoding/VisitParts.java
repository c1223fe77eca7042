package org.crabro.protocol.encoding;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.crabro.document.DocumentId;
import org.crabro.document.json.TensorFormat;
import org.crabro.protocol.visit.PageLimits;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.visit.VisitScope;
import org.crabro.protocol.visit.VisitSlice;
import org.crabro.protocol.visit.VisitedDocument;
import org.crabro.protocol.visit.VisitedGroup;
import org.crabro.protocol.wire.RequestHeader;

/** The encoding of visits and their pages as bodies of messages. */
final class VisitParts {
    private static final int JSON = 0;
    private static final int DOCUMENTS = 1;
    private static final int IDS = 2;
    private static final int GROUPS = 3;

    /** Added to the tag of a style. */
    private static final int WITH_EMPTIES = 2;

    private static final int PAGE = 0;
    private static final int WRONG_OWNER = 1;
    private static final int REJECTED = 2;
    private static final int OVERLOADED = 3;
    private static final int TIMED_OUT = 4;
    private static final int FAILED = 5;
    private static final int UNAVAILABLE = 6;

    private VisitParts() {}

    static void write(MessageWriter out, VisitRequest request, long nanoTime) {
        HeaderParts.write(out, request.header(), nanoTime);
        out.putInt(request.scope().partition());
        out.putText(request.scope().selection());
        out.putInt(request.scope().slice().index());
        out.putInt(request.scope().slice().count());
        out.putOptional(request.scope().after(), id -> ValueParts.write(out, id));
        out.putMap(new TreeMap<>(request.fields()), names -> out.putList(names, out::putText));
        out.putLong(request.scope().fromTimestamp());
        out.putLong(request.scope().toTimestamp());
        out.putBoolean(request.withRemoves());
        write(out, request.form());
        out.putInt(request.limits().documentsMax());
        out.putInt(request.limits().bytesMax());
    }

    static VisitRequest readRequest(MessageReader in, long nanoTime) {
        return in.readChecked("a visit", () -> readPageRequest(in, nanoTime));
    }

    private static VisitRequest readPageRequest(MessageReader in, long nanoTime) {
        RequestHeader header = HeaderParts.read(in, nanoTime);
        int partition = in.readInt();
        String selection = in.readText();
        var slice = new VisitSlice(in.readInt(), in.readInt());
        Optional<DocumentId> after = in.readOptional(() -> ValueParts.readId(in));
        Map<String, List<String>> fields = in.readMap(() -> in.readList(in::readText));
        return new VisitRequest(
                header,
                new VisitScope(partition, selection, slice, after, in.readLong(), in.readLong()),
                fields,
                in.readBoolean(),
                readForm(in),
                new PageLimits(in.readInt(), in.readInt()));
    }

    private static void write(MessageWriter out, VisitForm form) {
        switch (form) {
            case VisitForm.Json(var style, var tensors, var withTimestamps, var withEmpties) -> {
                out.putByte(JSON);
                int styled =
                        switch (style) {
                            case LIST -> 0;
                            case LINES -> 1;
                        };
                out.putByte(withEmpties ? styled | WITH_EMPTIES : styled);
                out.putText(tensors.parameter());
                out.putBoolean(withTimestamps);
            }
            case VisitForm.Documents() -> out.putByte(DOCUMENTS);
            case VisitForm.Ids() -> out.putByte(IDS);
            case VisitForm.Groups(var kind) -> {
                out.putByte(GROUPS);
                out.putByte(
                        switch (kind) {
                            case NAMED -> 0;
                            case NUMBERED -> 1;
                            case PLAIN -> 2;
                        });
            }
        }
    }

    private static VisitForm readForm(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case JSON -> readJson(in);
            case DOCUMENTS -> new VisitForm.Documents();
            case IDS -> new VisitForm.Ids();
            case GROUPS -> new VisitForm.Groups(readKind(in));
            default -> throw in.unknown("the tag of a form", tag);
        };
    }

    private static VisitForm.GroupKind readKind(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case 0 -> VisitForm.GroupKind.NAMED;
            case 1 -> VisitForm.GroupKind.NUMBERED;
            case 2 -> VisitForm.GroupKind.PLAIN;
            default -> throw in.unknown("the tag of a kind of groups", tag);
        };
    }

    private static VisitForm.Json readJson(MessageReader in) {
        int tag = in.readByte();
        VisitForm.Style style =
                switch (tag & ~WITH_EMPTIES) {
                    case 0 -> VisitForm.Style.LIST;
                    case 1 -> VisitForm.Style.LINES;
                    default -> throw in.unknown("the tag of a style", tag);
                };
        return new VisitForm.Json(
                style, readTensors(in), in.readBoolean(), (tag & WITH_EMPTIES) != 0);
    }

    private static TensorFormat readTensors(MessageReader in) {
        int start = in.offset();
        String name = in.readText();
        return TensorFormat.named(name)
                .orElseThrow(() ->
                        new WireFormatException(start, "a format of tensors", "'" + name + "'"));
    }

    static void write(MessageWriter out, VisitReply reply) {
        switch (reply) {
            case VisitReply.Page(var contents, var count, var last, var share) -> {
                out.putByte(PAGE);
                write(out, contents);
                out.putInt(count);
                out.putOptional(last, id -> ValueParts.write(out, id));
                out.putDouble(share);
            }
            case VisitReply.WrongOwner(var stateVersion) -> {
                out.putByte(WRONG_OWNER);
                out.putLong(stateVersion);
            }
            case VisitReply.Rejected(var reason) -> {
                out.putByte(REJECTED);
                out.putText(reason);
            }
            case VisitReply.Overloaded(var reason) -> {
                out.putByte(OVERLOADED);
                out.putText(reason);
            }
            case VisitReply.TimedOut() -> out.putByte(TIMED_OUT);
            case VisitReply.Failed(var reason) -> {
                out.putByte(FAILED);
                out.putText(reason);
            }
            case VisitReply.Unavailable(var reason) -> {
                out.putByte(UNAVAILABLE);
                out.putText(reason);
            }
        }
    }

    static VisitReply readReply(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case PAGE ->
                    new VisitReply.Page(
                            readContents(in),
                            in.readInt(),
                            in.readOptional(() -> ValueParts.readId(in)),
                            in.readDouble());
            case WRONG_OWNER -> new VisitReply.WrongOwner(in.readLong());
            case REJECTED -> new VisitReply.Rejected(in.readText());
            case OVERLOADED -> new VisitReply.Overloaded(in.readText());
            case TIMED_OUT -> new VisitReply.TimedOut();
            case FAILED -> new VisitReply.Failed(in.readText());
            case UNAVAILABLE -> new VisitReply.Unavailable(in.readText());
            default -> throw in.unknown("the tag of a visit's reply", tag);
        };
    }

    private static void write(MessageWriter out, VisitReply.Contents contents) {
        switch (contents) {
            case VisitReply.Contents.Json(var text) -> {
                out.putByte(JSON);
                out.putBytes(text);
            }
            case VisitReply.Contents.Documents(var documents) -> {
                out.putByte(DOCUMENTS);
                out.putList(documents, document -> write(out, document));
            }
            case VisitReply.Contents.Groups(var groups) -> {
                out.putByte(GROUPS);
                out.putList(groups, group -> write(out, group));
            }
        }
    }

    private static VisitReply.Contents readContents(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case JSON -> new VisitReply.Contents.Json(ByteBuffer.wrap(in.readBytes()));
            case DOCUMENTS -> new VisitReply.Contents.Documents(readDocuments(in));
            case GROUPS -> new VisitReply.Contents.Groups(readGroups(in));
            default -> throw in.unknown("the tag of contents", tag);
        };
    }

    private static List<VisitedDocument> readDocuments(MessageReader in) {
        return in.readList(() ->
                new VisitedDocument(
                        ValueParts.readId(in),
                        in.readLong(),
                        in.readBoolean(),
                        in.readOptional(() -> ValueParts.readDocument(in))));
    }

    private static List<VisitedGroup> readGroups(MessageReader in) {
        return in.readList(
                () -> new VisitedGroup(ValueParts.readKey(in), in.readLong(), in.readLong()));
    }

    private static void write(MessageWriter out, VisitedGroup group) {
        ValueParts.write(out, group.key());
        out.putLong(group.documents());
        out.putLong(group.bytes());
    }

    private static void write(MessageWriter out, VisitedDocument document) {
        ValueParts.write(out, document.id());
        out.putLong(document.timestamp());
        out.putBoolean(document.isRemoved());
        out.putOptional(document.document(), each -> ValueParts.write(out, each));
    }
}
