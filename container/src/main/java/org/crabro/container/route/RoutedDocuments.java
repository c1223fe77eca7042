package org.crabro.container.route;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.container.document.ClusterDocuments;
import org.crabro.container.document.DocumentCopies;
import org.crabro.container.document.DocumentWrites;
import org.crabro.container.document.IndexedWrites;
import org.crabro.container.document.ReadReply;
import org.crabro.container.document.WriteResult;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.FieldUpdates;
import org.crabro.document.operation.WriteCondition;
import org.crabro.document.select.Selection;
import org.crabro.document.select.SelectionTypes;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes documents in the content clusters of an application.
 *
 * <p>A put goes to every cluster whose selection is true of the document. An update or a removal
 * goes to every cluster whose selection can be true of the id. A read asks these clusters in the
 * order of services.xml, and the first that has the document answers. Operations of types that one
 * cluster stores go to that cluster.
 *
 * <p>The clusters are written one after another, and the writes of one document in one order. After
 * a failure, the further clusters are not written.
 */
public final class RoutedDocuments implements ClusterDocuments, DocumentCopies {
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    private final Map<String, List<DocumentCopy>> copies = new HashMap<>();
    private final Map<String, DocumentType> types = new HashMap<>();

    /** The only target of all operations; null if there are several. */
    private final @Nullable ClusterDocuments single;

    private final InstantSource clock;
    private final CopyLocks locks;

    /** Finds the documents of a type in a cluster. */
    public interface Access {
        /** Returns them; equal for equal nodes. */
        ClusterDocuments of(String cluster, String documentType);
    }

    /**
     * @param locks shared by all objects that write the same documents
     * @param clock the time of {@code now()} in selections
     */
    public RoutedDocuments(
            ApplicationModel model, Access access, CopyLocks locks, InstantSource clock) {
        this.clock = clock;
        this.locks = locks;
        SelectionTypes selectable = Schema.selectable(model.schemas().values());
        model.schemas().values().forEach(schema -> types.put(schema.name(), schema.documentType()));
        var targets = new HashSet<ClusterDocuments>();
        for (ContentCluster cluster : model.services().contents()) {
            for (ClusterDocument each : cluster.documents()) {
                ClusterDocuments documents = access.of(cluster.id(), each.type());
                targets.add(documents);
                copies.computeIfAbsent(each.type(), _ -> new ArrayList<>())
                        .add(
                                new DocumentCopy(
                                        cluster.id(),
                                        each.type(),
                                        documents,
                                        each.selection().isEmpty()
                                                ? Optional.empty()
                                                : Optional.of(
                                                        Selection.parse(
                                                                each.selection(), selectable))));
            }
        }
        this.single = targets.size() == 1 ? targets.iterator().next() : null;
    }

    private List<DocumentCopy> copies(DocumentId id) {
        return copies.getOrDefault(id.documentType(), List.of());
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }

    @Override
    public ReadReply read(Principal principal, Deadline deadline, DocumentId id, ReadHold hold) {
        if (single != null) {
            return single.read(principal, deadline, id, hold);
        }
        List<DocumentCopy> all = copies(id);
        if (all.size() == 1) {
            return all.getFirst().documents().read(principal, deadline, id, hold);
        }
        ReadReply reply = new ReadReply.Answered(new GetReply.Missing());
        for (DocumentCopy copy : all) {
            if (copy.mayStore(id, now())) {
                ReadReply next = copy.documents().read(principal, deadline, id, hold);
                switch (next) {
                    case ReadReply.Forbidden _, ReadReply.Answered(GetReply.Found _) -> {
                        return next;
                    }
                    case ReadReply.Answered(GetReply.Missing()) -> {}
                    case ReadReply.Answered _ -> reply = next;
                }
            }
        }
        return reply;
    }

    @Override
    public ReadReply read(
            String cluster, Principal principal, Deadline deadline, DocumentId id, ReadHold hold) {
        return copy(cluster, id).documents().read(principal, deadline, id, hold);
    }

    private DocumentCopy copy(String cluster, DocumentId id) {
        for (DocumentCopy copy : copies(id)) {
            if (copy.cluster().equals(cluster)) {
                return copy;
            }
        }
        throw new IllegalStateException(
                "content cluster '%s' does not store documents of type '%s'"
                        .formatted(cluster, id.documentType()));
    }

    /** Returns writes to the copies in one cluster. */
    public DocumentWrites writes(String cluster) {
        return (principal, deadline, operation) ->
                copy(cluster, operation.id()).documents().write(principal, deadline, operation);
    }

    /**
     * Returns writes that copy documents between clusters. Each is a put of the version that was
     * read in the source, on the condition of its timestamp there. A document that the destination
     * does not select is not written.
     */
    public DocumentWrites copies(String source, String destination) {
        return source.equals(destination)
                ? writes(source)
                : (principal, deadline, operation) ->
                        locked(
                                operation.id(),
                                deadline,
                                () -> copy(source, destination, principal, deadline, operation));
    }

    private WriteResult copy(
            String source,
            String destination,
            Principal principal,
            Deadline deadline,
            ConditionalOperation operation) {
        DocumentId id = operation.id();
        DocumentCopy target = copy(destination, id);
        if (!(operation.operation() instanceof DocumentOperation.Put(Document document))) {
            throw new IllegalStateException("only puts copy documents, not " + operation);
        }
        if (!target.selects(document, now())) {
            return new WriteResult.Ignored(notSelected(id));
        }
        try (var hold = new ReadHold()) {
            ReadReply seen = read(source, principal, deadline, id, hold);
            Optional<WriteResult> failure = seen.failure();
            if (failure.isPresent()) {
                return failure.get();
            }
            if (!(seen instanceof ReadReply.Answered(GetReply.Found(_, long timestamp)))
                    || operation.condition().timestamp().orElse(timestamp) != timestamp) {
                boolean exists = seen instanceof ReadReply.Answered(GetReply.Found _);
                return new WriteResult.Answered(new WriteReply.ConditionNotMet(exists));
            }
        }
        return target.documents()
                .write(principal, deadline, ConditionalOperation.always(operation.operation()));
    }

    @Override
    public WriteResult write(
            Principal principal, Deadline deadline, ConditionalOperation operation) {
        if (single != null) {
            return single.write(principal, deadline, operation);
        }
        DocumentId id = operation.id();
        List<DocumentCopy> all = copies(id);
        if (all.size() == 1) {
            return all.getFirst().documents().write(principal, deadline, operation);
        }
        return locked(
                id,
                deadline,
                () -> inAll(id, deadline, targets(all, principal, deadline, operation)));
    }

    private List<Target> targets(
            List<DocumentCopy> all,
            Principal principal,
            Deadline deadline,
            ConditionalOperation operation) {
        long now = now();
        var targets = new ArrayList<Target>();
        for (DocumentCopy copy : all) {
            boolean isTarget =
                    operation.operation() instanceof DocumentOperation.Put(Document document)
                            ? copy.selects(document, now)
                            : copy.mayStore(operation.id(), now);
            if (isTarget) {
                ConditionalOperation own = ofCopy(copy, operation, now);
                targets.add(
                        new Target(
                                copy.cluster(),
                                () -> copy.documents().write(principal, deadline, own)));
            }
        }
        return targets;
    }

    /** Returns an operation for a copy: an update creates only a document that is selected. */
    private ConditionalOperation ofCopy(
            DocumentCopy copy, ConditionalOperation operation, long now) {
        return operation.create()
                        && operation.operation() instanceof DocumentOperation.Update update
                        && !copy.selects(created(update), now)
                ? new ConditionalOperation(update, operation.condition(), false)
                : operation;
    }

    /** A write in one cluster. */
    private record Target(String cluster, Writing writing) {}

    private interface Writing {
        WriteResult run();
    }

    private WriteResult locked(DocumentId id, Deadline deadline, Writing writing) {
        return locks.locked(IntStream.of(id.hashCode()), deadline, writing::run)
                .orElseGet(() -> new WriteResult.Answered(new WriteReply.TimedOut()));
    }

    /** Returns the document that an update creates. */
    private Document created(DocumentOperation.Update update) {
        DocumentType type = types.get(update.id().documentType());
        return new Document(
                update.id(),
                type == null ? Map.of() : FieldUpdates.apply(update.updates(), type, Map.of()));
    }

    private static WriteResult inAll(DocumentId id, Deadline deadline, List<Target> targets) {
        var replies = new CopyReplies();
        for (Target target : targets) {
            WriteResult reply = target.writing.run();
            while (replies.hasWritten()
                    && reply instanceof WriteResult.Answered(WriteReply.Overloaded(Duration after))
                    && pause(after, deadline)) {
                reply = target.writing.run();
            }
            if (!replies.add(target.cluster, reply)) {
                break;
            }
        }
        return replies.result().orElseGet(() -> new WriteResult.Ignored(notSelected(id)));
    }

    /** Waits before a cluster is asked again; returns false if the deadline passes before. */
    private static boolean pause(Duration after, Deadline deadline) {
        Duration pause = after.compareTo(LONGEST_PAUSE) < 0 ? after : LONGEST_PAUSE;
        if (deadline.remaining().compareTo(pause) <= 0) {
            return false;
        }
        try {
            Thread.sleep(pause);
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static String notSelected(DocumentId id) {
        return "nothing was written: no content cluster selects '" + id + "'";
    }

    @Override
    public IndexedWrites in(String cluster) {
        return new IndexedWrites(
                (principal, deadline, id, hold) -> read(cluster, principal, deadline, id, hold),
                (principal, deadline, operation) -> {
                    DocumentCopy copy = copy(cluster, operation.id());
                    List<Target> target = targets(List.of(copy), principal, deadline, operation);
                    return locked(
                            operation.id(),
                            deadline,
                            () -> inAll(operation.id(), deadline, target));
                });
    }

    @Override
    public WriteResult inEach(DocumentId id, Deadline deadline, Step step) {
        List<DocumentCopy> all = copies(id);
        if (single != null) {
            return step.on(single, single);
        }
        if (all.size() == 1) {
            return step.on(all.getFirst().documents(), all.getFirst().documents());
        }
        return locked(
                id,
                deadline,
                () ->
                        inAll(
                                id,
                                deadline,
                                all.stream()
                                        .filter(copy -> copy.mayStore(id, now()))
                                        .map(copy ->
                                                new Target(
                                                        copy.cluster(),
                                                        () ->
                                                                step.on(
                                                                        copy.documents(),
                                                                        creating(copy))))
                                        .toList()));
    }

    /** Returns writes to a copy that create no document which the cluster does not select. */
    private DocumentWrites creating(DocumentCopy copy) {
        return (principal, deadline, operation) ->
                operation.operation() instanceof DocumentOperation.Put(Document document)
                                && operation.create()
                                && operation.condition().timestamp().orElse(-1)
                                        == WriteCondition.ABSENT
                                && !copy.selects(document, now())
                        ? new WriteResult.Answered(new WriteReply.Missing())
                        : copy.documents().write(principal, deadline, operation);
    }

    @Override
    public WriteResult write(Principal principal, Deadline deadline, Write.Row row) {
        if (single != null) {
            return single.write(principal, deadline, row);
        }
        DocumentId id = row.id();
        List<DocumentCopy> all = copies(id);
        if (all.size() == 1) {
            return all.getFirst().documents().write(principal, deadline, row);
        }
        return locked(
                id,
                deadline,
                () ->
                        inAll(
                                id,
                                deadline,
                                storing(row).stream()
                                        .map(copy ->
                                                new Target(
                                                        copy.cluster(),
                                                        () ->
                                                                copy.documents()
                                                                        .write(
                                                                                principal,
                                                                                deadline,
                                                                                row.copy())))
                                        .toList()));
    }

    /** Returns the copies that a row is written to. */
    private List<DocumentCopy> storing(Write.Row put) {
        DocumentId id = put.id();
        List<DocumentCopy> all = copies(id);
        if (all.stream().allMatch(copy -> copy.selection().isEmpty())) {
            return all;
        }
        DocumentType type = types.get(id.documentType());
        if (type == null) {
            throw new IllegalStateException("a model without the type " + id.documentType());
        }
        Row row = RowEncoding.decode(MemorySegment.ofArray(put.bytes()), type);
        long now = now();
        if (row.tombstone()) {
            return all.stream().filter(copy -> copy.mayStore(id, now)).toList();
        }
        var document = new Document(id, row.fields());
        return all.stream().filter(copy -> copy.selects(document, now)).toList();
    }

    @Override
    public int partition(DocumentId id) {
        return single == null
                ? copies(id).getFirst().documents().partition(id)
                : single.partition(id);
    }

    @Override
    public List<WriteResult> write(Principal principal, Deadline deadline, List<Write.Row> rows) {
        if (single != null) {
            return single.write(principal, deadline, rows);
        }
        IntStream copied =
                rows.stream()
                        .filter(row -> copies(row.id()).size() > 1)
                        .mapToInt(Write.Row::idHash);
        return locks.locked(copied, deadline, () -> writeParts(principal, deadline, rows))
                .orElseGet(() ->
                        rows.stream()
                                .<WriteResult>map(
                                        _ -> new WriteResult.Answered(new WriteReply.TimedOut()))
                                .toList());
    }

    private List<WriteResult> writeParts(
            Principal principal, Deadline deadline, List<Write.Row> rows) {
        var parts = new BatchParts(rows.size());
        for (int i = 0; i < rows.size(); i++) {
            Write.Row row = rows.get(i);
            List<DocumentCopy> all = copies(row.id());
            if (all.size() == 1) {
                parts.add(i, row, all.getFirst().documents());
            } else {
                for (DocumentCopy copy : storing(row)) {
                    parts.add(i, row.copy(), copy);
                }
            }
        }
        parts.write(principal, deadline);
        var replies = new ArrayList<WriteResult>(rows.size());
        for (int i = 0; i < rows.size(); i++) {
            DocumentId id = rows.get(i).id();
            replies.add(parts.reply(i).orElseGet(() -> new WriteResult.Ignored(notSelected(id))));
        }
        return replies;
    }
}
