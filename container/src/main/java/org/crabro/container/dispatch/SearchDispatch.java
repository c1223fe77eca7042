package org.crabro.container.dispatch;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.crabro.document.DocumentId;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;

/**
 * Sends searches to the nodes of their content cluster, if their principal may search it. {@link
 * ReplicatedSearch} selects the nodes if there are several.
 *
 * <p>A group or a number is in one partition, so a search of it names only that partition; other
 * searches name all.
 */
public final class SearchDispatch {
    private final NodesOfClusters nodes;
    private final Supplier<ClusterView> view;

    /**
     * @param view called once for each search
     */
    public SearchDispatch(NodesOfClusters nodes, Supplier<ClusterView> view) {
        this.nodes = nodes;
        this.view = view;
    }

    /** Creates a dispatch to {@code nodes}, which store all clusters. */
    public SearchDispatch(SearchNodes nodes, Supplier<ClusterView> view) {
        this((_, _) -> nodes, view);
    }

    /** Finds the nodes that search a document type of a content cluster. */
    public interface NodesOfClusters {
        /** Returns the nodes; called once for each search. */
        SearchNodes nodes(String cluster, String documentType);
    }

    /** Creates the request to a node. */
    public interface RequestMaker {
        SearchRequest request(RequestHeader header, List<Integer> partitions);
    }

    /** The outcome of a search. */
    public sealed interface Outcome {
        /** A node replied, possibly with an error. */
        record Answered(SearchReply reply) implements Outcome {}

        /** The principal may not search this. No request was sent to a node. */
        record Forbidden(String reason) implements Outcome {}
    }

    /**
     * Sends a request to the node of {@code cluster} that owns {@code scope}, and returns its
     * reply.
     */
    public Outcome search(
            Principal principal,
            Deadline deadline,
            String cluster,
            Scope scope,
            RequestMaker requests) {
        Optional<String> refusal = GroupAccess.refusal(principal, scope);
        if (refusal.isPresent()) {
            return new Outcome.Forbidden(refusal.get());
        }
        if (deadline.hasPassed()) {
            return new Outcome.Answered(new SearchReply.TimedOut());
        }
        ClusterView now = view.get();
        var header = new RequestHeader(principal, now.stateVersion(), deadline);
        SearchRequest request = requests.request(header, partitions(scope, now));
        return new Outcome.Answered(
                nodes.nodes(cluster, request.scope().documentType()).search(request));
    }

    private static List<Integer> partitions(Scope scope, ClusterView view) {
        return switch (scope) {
            case Scope.Group(var name) ->
                    List.of(view.partitions().of(DocumentId.locationOfGroup(name)));
            case Scope.Numbered(var value) -> List.of(view.partitions().of(value));
            case Scope.Several(var parts) ->
                    parts.stream()
                            .flatMap(part -> partitions(part, view).stream())
                            .distinct()
                            .toList();
            case Scope.Selected selected -> partitions(selected.within(), view);
            case Scope.Everything() ->
                    IntStream.range(0, view.partitions().count()).boxed().toList();
        };
    }
}
