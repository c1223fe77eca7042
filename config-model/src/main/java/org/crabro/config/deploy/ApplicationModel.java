package org.crabro.config.deploy;

import java.util.Map;
import java.util.Set;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.queryprofile.QueryProfiles;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.Services;

/**
 * An application package, checked and compiled: everything that containers and content nodes need
 * to know of it. Immutable.
 *
 * @param name what it is called
 * @param generation the session's number; rises with every deployment
 * @param schemas by name, those that a content cluster names
 * @param unkept names of the others, of which no document is kept
 */
public record ApplicationModel(
        ApplicationName name,
        long generation,
        Services services,
        Map<String, Schema> schemas,
        Set<String> unkept,
        QueryProfiles queryProfiles) {
    public ApplicationModel {
        schemas = Map.copyOf(schemas);
        unkept = Set.copyOf(unkept);
    }

    /** An application that nobody gave a name. */
    public ApplicationModel(
            long generation,
            Services services,
            Map<String, Schema> schemas,
            QueryProfiles queryProfiles) {
        this(ApplicationName.DEFAULT, generation, services, schemas, Set.of(), queryProfiles);
    }

    /** An application without a name and query profiles. */
    public ApplicationModel(long generation, Services services, Map<String, Schema> schemas) {
        this(generation, services, schemas, QueryProfiles.NONE);
    }
}
