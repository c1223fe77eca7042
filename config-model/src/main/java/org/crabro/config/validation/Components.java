package org.crabro.config.validation;

import java.util.Optional;
import java.util.Set;
import org.crabro.config.services.ContentCluster.Mode;

/**
 * What services.xml says that matters for a schema.
 *
 * @param embedders the ids of all embedders; nothing where services.xml could not be read
 * @param modes how content clusters search the type
 */
public record Components(Optional<Set<String>> embedders, Set<Mode> modes) {
    public Components {
        embedders = embedders.map(Set::copyOf);
        modes = Set.copyOf(modes);
    }
}
