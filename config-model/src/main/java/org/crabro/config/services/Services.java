package org.crabro.config.services;

import java.util.List;

/** The clusters of an application. */
public record Services(List<ContainerCluster> containers, List<ContentCluster> contents) {
    public Services {
        containers = List.copyOf(containers);
        contents = List.copyOf(contents);
    }
}
