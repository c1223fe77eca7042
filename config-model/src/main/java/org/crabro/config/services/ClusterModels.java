package org.crabro.config.services;

import java.util.List;
import java.util.Optional;

/**
 * The models of a container cluster.
 *
 * @param embedders ids distinct
 * @param api empty if models are not evaluated on request
 */
public record ClusterModels(List<EmbedderComponent> embedders, Optional<ModelApi> api) {
    public ClusterModels {
        embedders = List.copyOf(embedders);
    }
}
