package org.crabro.container.dispatch;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.crabro.container.document.ClusterDocuments;
import org.crabro.container.document.DocumentWrites;
import org.crabro.container.route.RoutedDocuments;
import org.crabro.container.visit.BackgroundAccess;
import org.crabro.container.visit.GroupRemovals;
import org.crabro.container.visit.VisitReads;

/** Creates the dispatch to the nodes of each content cluster. Safe for use by many threads. */
public final class ClusterDispatch implements RoutedDocuments.Access, BackgroundAccess {
    private final ContentClusters clusters;
    private final Supplier<ClusterView> view;

    /** As many as there are different nodes. */
    private final ConcurrentMap<DocumentNodes, DocumentDispatch> documents =
            new ConcurrentHashMap<>();

    /**
     * @param view the state of every cluster; called once for each request
     */
    public ClusterDispatch(ContentClusters clusters, Supplier<ClusterView> view) {
        this.clusters = clusters;
        this.view = view;
    }

    private DocumentNodes nodes(String cluster, String documentType) {
        return clusters.nodes(cluster, documentType).documents();
    }

    @Override
    public ClusterDocuments of(String cluster, String documentType) {
        return documents.computeIfAbsent(
                nodes(cluster, documentType), nodes -> new DocumentDispatch(nodes, view));
    }

    @Override
    public DocumentWrites writes(String cluster, String documentType) {
        return of(cluster, documentType);
    }

    @Override
    public VisitReads reads(String cluster, String documentType) {
        return new VisitDispatch(nodes(cluster, documentType)::visit, view);
    }

    /**
     * Returns the visits of a cluster.
     *
     * @param documentTypes all types of the cluster
     */
    public VisitReads visits(String cluster, Set<String> documentTypes) {
        Map<DocumentNodes, Set<String>> types = new LinkedHashMap<>();
        for (String type : documentTypes) {
            types.computeIfAbsent(nodes(cluster, type), _ -> new LinkedHashSet<>()).add(type);
        }
        return new VisitDispatch(
                types.entrySet().stream()
                        .map(entry ->
                                new VisitDispatch.Part(
                                        entry.getKey()::visit, entry.getValue()::contains))
                        .toList(),
                view);
    }

    /** Returns the removals of groups from a cluster. */
    public GroupRemovals removals(String cluster) {
        return (principal, deadline, documentType, group) ->
                new GroupDispatch(nodes(cluster, documentType), view)
                        .remove(principal, deadline, documentType, group);
    }

    /** Returns the searches of all clusters. */
    public SearchDispatch searches() {
        return new SearchDispatch(
                (cluster, documentType) -> clusters.nodes(cluster, documentType).search(), view);
    }
}
