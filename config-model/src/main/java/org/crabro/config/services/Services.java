package org.crabro.config.services;

import java.nio.file.Path;
import java.util.List;

/**
 * The clusters of an application.
 *
 * @param jars where the jars lie that hold components of one's own, in the order in which classes
 *     are looked for
 */
public record Services(
        List<ContainerCluster> containers, List<ContentCluster> contents, List<Path> jars) {
    public Services {
        jars = List.copyOf(jars);
        containers = List.copyOf(containers);
        contents = List.copyOf(contents);
    }

    /** The clusters of an application that brings no jars. */
    public Services(List<ContainerCluster> containers, List<ContentCluster> contents) {
        this(containers, contents, List.of());
    }
}
