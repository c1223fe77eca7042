package org.crabro.config.services;

import java.util.Map;
import java.util.Set;

/**
 * A container cluster as content clusters see it that send documents through its chains.
 *
 * @param hasProcessing whether it says that it processes documents
 * @param hasSearch whether it searches
 * @param chains what each chain that it declares inherits, from near and far
 */
record IndexingContainer(
        String id, boolean hasProcessing, boolean hasSearch, Map<String, Set<String>> chains) {
    IndexingContainer {
        chains = Map.copyOf(chains);
    }
}
