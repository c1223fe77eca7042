package org.crabro.container.dispatch;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.crabro.container.document.ClusterDocuments;
import org.crabro.container.document.ReadReply;
import org.crabro.container.document.WriteResult;
import org.crabro.document.DocumentId;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.feed.WriteRequest;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;

/**
 * Sends reads and writes of documents to the nodes of their content cluster, if their principal may
 * access their group. {@link ReplicatedDocuments} selects the node if there are several.
 */
public final class DocumentDispatch implements ClusterDocuments {
    private final DocumentNodes nodes;
    private final Supplier<ClusterView> cluster;

    /**
     * @param cluster called once for each request
     */
    public DocumentDispatch(DocumentNodes nodes, Supplier<ClusterView> cluster) {
        this.nodes = nodes;
        this.cluster = cluster;
    }

    @Override
    public ReadReply read(Principal principal, Deadline deadline, DocumentId id, ReadHold hold) {
        Optional<String> refusal = principal.refusal(id.key());
        if (refusal.isPresent()) {
            return new ReadReply.Forbidden(refusal.get());
        }
        if (deadline.hasPassed()) {
            return new ReadReply.Answered(new GetReply.TimedOut());
        }
        ClusterView view = cluster.get();
        var header = new RequestHeader(principal, view.stateVersion(), deadline);
        int partition = view.partitions().of(id.location());
        return new ReadReply.Answered(
                nodes.get(new GetRequest(header, partition, id, Optional.empty()), hold));
    }

    @Override
    public int partition(DocumentId id) {
        return cluster.get().partitions().of(id.location());
    }

    @Override
    public List<WriteResult> write(Principal principal, Deadline deadline, List<Write.Row> writes) {
        var replies = new WriteResult[writes.size()];
        var allowed = new ArrayList<Write.Row>(replies.length);
        for (int i = 0; i < replies.length; i++) {
            Write.Row write = writes.get(i);
            Optional<String> refusal = principal.refusal(write.id().key());
            if (refusal.isPresent()) {
                replies[i] = new WriteResult.Forbidden(refusal.get());
            } else {
                allowed.add(write);
            }
        }
        var header = new RequestHeader(principal, cluster.get().stateVersion(), deadline);
        List<WriteReply> answers;
        if (allowed.isEmpty() || deadline.hasPassed()) {
            answers = Collections.nCopies(allowed.size(), new WriteReply.TimedOut());
        } else {
            answers = nodes.write(new WriteRequest(header, allowed));
        }
        int next = 0;
        for (int i = 0; i < replies.length; i++) {
            if (replies[i] == null) {
                replies[i] = new WriteResult.Answered(answers.get(next++));
            }
        }
        return List.of(replies);
    }

    @Override
    public WriteResult write(
            Principal principal, Deadline deadline, ConditionalOperation operation) {
        DocumentId id = operation.id();
        Optional<WriteResult> refusal = refusal(principal, deadline, id);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        ClusterView view = cluster.get();
        var header = new RequestHeader(principal, view.stateVersion(), deadline);
        int partition = view.partitions().of(id.location());
        return new WriteResult.Answered(
                nodes.write(header, new Write.Operation(partition, operation), Optional.empty()));
    }

    @Override
    public WriteResult write(Principal principal, Deadline deadline, Write.Row row) {
        Optional<WriteResult> refusal = refusal(principal, deadline, row.id());
        if (refusal.isPresent()) {
            return refusal.get();
        }
        var header = new RequestHeader(principal, cluster.get().stateVersion(), deadline);
        return new WriteResult.Answered(nodes.write(header, row, Optional.empty()));
    }

    /** Returns the reply if no request needs to be sent to a node; empty otherwise. */
    private static Optional<WriteResult> refusal(
            Principal principal, Deadline deadline, DocumentId id) {
        Optional<String> refusal = principal.refusal(id.key());
        if (refusal.isPresent()) {
            return refusal.map(WriteResult.Forbidden::new);
        }
        return deadline.hasPassed()
                ? Optional.of(new WriteResult.Answered(new WriteReply.TimedOut()))
                : Optional.empty();
    }
}
