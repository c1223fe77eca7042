package org.crabro.config.services;

import java.util.Map;
import java.util.Set;

/**
 * A container cluster whose chains process the documents of content clusters.
 *
 * @param hasProcessing whether it has {@code document-processing}
 * @param hasSearch whether it serves queries
 * @param chains by declared chain, all chains that it inherits directly or indirectly
 */
record IndexingContainer(
        String id, boolean hasProcessing, boolean hasSearch, Map<String, Set<String>> chains) {
    IndexingContainer {
        chains = Map.copyOf(chains);
    }
}
