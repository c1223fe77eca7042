package org.crabro.config.services;

import java.util.List;
import java.util.OptionalInt;

/**
 * A cluster that talks HTTP.
 *
 * @param search whether it answers {@code /search/}
 * @param documentApi whether it answers {@code /document/v1}
 * @param port where the package says one
 * @param embedders ids distinct
 */
public record ContainerCluster(
        String id,
        boolean search,
        boolean documentApi,
        OptionalInt port,
        List<EmbedderComponent> embedders) {
    public ContainerCluster {
        embedders = List.copyOf(embedders);
    }
}
