package org.crabro.config.deploy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.queryprofile.QueryProfiles;
import org.crabro.config.rules.RuleBases;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.config.services.Services;

/**
 * A checked and compiled application package, for containers and content nodes. Immutable.
 *
 * @param name of the application
 * @param generation the session's number; rises with every deployment
 * @param schemas by name, limited to those in a content cluster
 * @param unkept names of the other schemas, whose documents are not stored
 */
public record ApplicationModel(
        ApplicationName name,
        long generation,
        Services services,
        Map<String, Schema> schemas,
        Set<String> unkept,
        QuerySettings queries) {
    public ApplicationModel {
        schemas = Map.copyOf(schemas);
        unkept = Set.copyOf(unkept);
    }

    /**
     * Returns the schema by which a content cluster searches and shows documents.
     *
     * @param document a type of a cluster of this application
     */
    public Schema schema(ClusterDocument document) {
        Schema schema = document.ownSchema().orElse(schemas.get(document.type()));
        if (schema == null) {
            throw new IllegalStateException("a model without the schema " + document.type());
        }
        return schema;
    }

    /** Returns all schemas, with those that belong to one content cluster only. */
    public Stream<Schema> everySchema() {
        return Stream.concat(
                schemas.values().stream(),
                services.contents().stream()
                        .flatMap(cluster -> cluster.documents().stream())
                        .flatMap(document -> document.ownSchema().stream()));
    }

    /**
     * Returns the part of the model for nodes that store some types of some clusters. Other types
     * keep their fields, which selections may name, and lose everything else.
     *
     * @param isStored whether the nodes store a type, by cluster and type; at most one cluster of
     *     each type
     */
    public ApplicationModel part(BiPredicate<String, String> isStored) {
        Map<String, Schema> own = new HashMap<>();
        schemas.forEach((name, schema) ->
                own.put(name, new Schema(name, schema.documentType(), schema.fields())));
        var clusters = new ArrayList<ContentCluster>();
        for (ContentCluster cluster : services.contents()) {
            List<ClusterDocument> stored =
                    cluster.documents().stream()
                            .filter(document -> isStored.test(cluster.id(), document.type()))
                            .toList();
            stored.forEach(document -> own.put(document.type(), schema(document)));
            if (!stored.isEmpty()) {
                clusters.add(cluster.with(stored));
            }
        }
        return new ApplicationModel(
                name, generation, services.with(clusters), own, unkept, queries);
    }

    /** Returns the model for a host that has these container clusters alone. */
    public ApplicationModel withContainers(List<ContainerCluster> own) {
        return new ApplicationModel(
                name, generation, services.withContainers(own), schemas, unkept, queries);
    }

    /** The default name, and no rules. */
    public ApplicationModel(
            long generation,
            Services services,
            Map<String, Schema> schemas,
            QueryProfiles queryProfiles) {
        this(
                ApplicationName.DEFAULT,
                generation,
                services,
                schemas,
                Set.of(),
                new QuerySettings(queryProfiles, RuleBases.NONE));
    }

    /** Returns the values of parameters of queries. */
    public QueryProfiles queryProfiles() {
        return queries.profiles();
    }

    /** An application without a name and query profiles. */
    public ApplicationModel(long generation, Services services, Map<String, Schema> schemas) {
        this(generation, services, schemas, QueryProfiles.NONE);
    }
}
