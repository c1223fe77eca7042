package org.crabro.container.dispatch;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.crabro.container.visit.PageReply;
import org.crabro.container.visit.VisitReads;
import org.crabro.document.select.SelectedPlaces;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.visit.VisitScope;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;

/**
 * Sends requests for pages to the nodes of a content cluster, if their principal may access all
 * documents that they select. The documents of a cluster are in several parts if its types are on
 * different nodes. {@link ReplicatedDocuments} selects the node of a partition if there are
 * several.
 */
public final class VisitDispatch implements VisitReads {
    private final List<Part> parts;
    private final Supplier<ClusterView> view;

    /**
     * The nodes with some document types of a cluster.
     *
     * @param nodes sends requests to nodes, see {@link DocumentNodes#visit}
     * @param types whether the nodes store a type for the cluster
     */
    public record Part(Function<VisitRequest, VisitReply> nodes, Predicate<String> types) {}

    /**
     * @param nodes sends requests to nodes, see {@link DocumentNodes#visit}
     * @param view called once for each request
     */
    public VisitDispatch(Function<VisitRequest, VisitReply> nodes, Supplier<ClusterView> view) {
        this(List.of(new Part(nodes, _ -> true)), view);
    }

    /**
     * @param parts of the cluster, at least one
     * @param view called once for each request
     */
    public VisitDispatch(List<Part> parts, Supplier<ClusterView> view) {
        this.parts = List.copyOf(parts);
        this.view = view;
    }

    @Override
    public Partitions partitions() {
        return view.get().partitions();
    }

    @Override
    public int parts() {
        return parts.size();
    }

    @Override
    public PageReply read(
            Principal principal, Deadline deadline, SelectedPlaces places, RequestMaker request) {
        Optional<String> refusal = GroupAccess.refusal(principal, places);
        if (refusal.isPresent()) {
            return new PageReply.Forbidden(refusal.get());
        }
        if (deadline.hasPassed()) {
            return new PageReply.Answered(new VisitReply.TimedOut());
        }
        ClusterView now = view.get();
        VisitRequest asked =
                request.request(new RequestHeader(principal, now.stateVersion(), deadline));
        return new PageReply.Answered(
                parts.size() == 1
                        ? parts.getFirst().nodes.apply(asked)
                        : read(asked, now.partitions()));
    }

    private VisitReply read(VisitRequest asked, Partitions partitions) {
        VisitScope scope = asked.scope();
        Part part = parts.get(scope.partition() / partitions.count());
        Map<String, List<String>> fields = new HashMap<>();
        asked.fields()
                .forEach((type, names) -> {
                    if (part.types.test(type)) {
                        fields.put(type, names);
                    }
                });
        return part.nodes.apply(
                new VisitRequest(
                        asked.header(),
                        new VisitScope(
                                scope.partition() % partitions.count(),
                                scope.selection(),
                                scope.slice(),
                                scope.after(),
                                scope.fromTimestamp(),
                                scope.toTimestamp()),
                        fields,
                        asked.withRemoves(),
                        asked.form(),
                        asked.limits()));
    }
}
