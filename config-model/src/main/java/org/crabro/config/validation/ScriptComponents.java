package org.crabro.config.validation;

import java.util.Set;

/**
 * The components that indexing scripts can name.
 *
 * @param embedders the ids of all embedders
 * @param generators the ids of all field generators
 */
public record ScriptComponents(Set<String> embedders, Set<String> generators) {
    public ScriptComponents {
        embedders = Set.copyOf(embedders);
        generators = Set.copyOf(generators);
    }
}
