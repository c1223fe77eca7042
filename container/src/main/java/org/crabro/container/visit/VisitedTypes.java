package org.crabro.container.visit;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.container.document.DocumentParameters;
import org.crabro.container.document.DocumentPath;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.container.document.ServedTypes;
import org.crabro.document.select.SelectionTypes;

/** Finds the content cluster and the document types of a request. */
final class VisitedTypes {
    private final ApplicationModel model;

    VisitedTypes(ApplicationModel model) {
        this.model = model;
    }

    /**
     * Returns the cluster of a request.
     *
     * @param given the value of its parameter
     * @throws InvalidRequestException if the cluster is unknown or ambiguous
     */
    ContentCluster cluster(Optional<String> given, DocumentPath path) {
        List<ContentCluster> all = model.services().contents();
        if (given.isPresent()) {
            return named(given.get());
        }
        if (!(path instanceof DocumentPath.Range range)) {
            throw DocumentParameters.invalid(
                    "Must set 'cluster' parameter to a valid content cluster id when visiting at"
                            + " a root /document/v1/ level: one of "
                            + ids(all));
        }
        if (all.isEmpty()) {
            throw DocumentParameters.invalid(
                    "Your Vespa deployment has no content clusters, so nothing can be visited");
        }
        List<ContentCluster> having =
                all.stream().filter(each -> keeps(each, range.documentType())).toList();
        if (having.size() == 1) {
            return having.getFirst();
        }
        if (having.isEmpty() && all.size() == 1) {
            throw ServedTypes.unknownType(range.documentType(), all.getFirst());
        }
        throw DocumentParameters.invalid(
                having.isEmpty()
                        ? "There is no document type '%s' in any of the content clusters %s"
                                .formatted(range.documentType(), ids(all))
                        : "Please specify one of the content clusters %s as 'cluster'"
                                .formatted(ids(having)));
    }

    /**
     * Returns the clusters of a request that removes documents: the one that it names, or all that
     * store the type.
     *
     * @param given the value of its parameter
     * @throws InvalidRequestException if the cluster is unknown, or no cluster stores the type
     */
    List<ContentCluster> clusters(Optional<String> given, DocumentPath.Range range) {
        List<ContentCluster> having =
                model.services().contents().stream()
                        .filter(each -> keeps(each, range.documentType()))
                        .toList();
        return given.isPresent() || having.isEmpty() ? List.of(cluster(given, range)) : having;
    }

    /**
     * Returns the cluster of that name.
     *
     * @throws InvalidRequestException if there is no such cluster; clients parse the names in the
     *     message
     */
    ContentCluster named(String id) {
        List<ContentCluster> all = model.services().contents();
        for (ContentCluster each : all) {
            if (each.id().equals(id)) {
                return each;
            }
        }
        throw ServedTypes.unknownCluster(id, all);
    }

    /**
     * Returns the document types of a request: that of its path, or all of a bucket space.
     *
     * @throws InvalidRequestException if the cluster has no such type
     */
    List<Schema> types(ContentCluster cluster, DocumentPath path, boolean isGlobal) {
        if (path instanceof DocumentPath.Range range) {
            if (!keeps(cluster, range.documentType())) {
                throw ServedTypes.unknownType(range.documentType(), cluster);
            }
            return List.of(schema(range.documentType()));
        }
        var types = new ArrayList<Schema>();
        for (ClusterDocument each : cluster.documents()) {
            if (each.isGlobal() == isGlobal) {
                types.add(schema(each.type()));
            }
        }
        return types;
    }

    /** Returns the types that a selection may name. */
    SelectionTypes selectable(ContentCluster cluster) {
        return Schema.selectable(
                cluster.documents().stream().map(each -> schema(each.type())).toList());
    }

    private Schema schema(String type) {
        Schema schema = model.schemas().get(type);
        if (schema == null) {
            throw new IllegalStateException("a model without the schema " + type);
        }
        return schema;
    }

    private static boolean keeps(ContentCluster cluster, String type) {
        return cluster.documents().stream().anyMatch(each -> each.type().equals(type));
    }

    private static String ids(Collection<ContentCluster> clusters) {
        return quoted(clusters.stream().map(ContentCluster::id).toList());
    }

    private static String quoted(Collection<String> names) {
        return names.stream().map(name -> "'" + name + "'").collect(joining(", "));
    }
}
