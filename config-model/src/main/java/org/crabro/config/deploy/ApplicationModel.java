package org.crabro.config.deploy;

import java.util.Map;
import java.util.Set;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.queryprofile.QueryProfiles;
import org.crabro.config.rules.RuleBases;
import org.crabro.config.schema.Schema;
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
