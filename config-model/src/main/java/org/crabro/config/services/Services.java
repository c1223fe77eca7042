package org.crabro.config.services;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.crabro.config.component.OwnComponents.Binding;
import org.crabro.text.SpecialTokens;

/**
 * The clusters of an application.
 *
 * @param jars the paths of the jars with the application's components, in the order of the class
 *     search
 * @param topology the hosts of the clusters
 * @param specialTokens words with separators inside
 * @param root the directory of the package; empty if it is in none
 */
public record Services(
        List<ContainerCluster> containers,
        List<ContentCluster> contents,
        List<Path> jars,
        Topology topology,
        SpecialTokens specialTokens,
        Optional<Path> root) {
    public Services {
        jars = List.copyOf(jars);
        containers = List.copyOf(containers);
        contents = List.copyOf(contents);
    }

    /** The clusters of an application that brings no jars and no hosts.xml. */
    public Services(List<ContainerCluster> containers, List<ContentCluster> contents) {
        this(containers, contents, List.of(), Topology.NONE, SpecialTokens.NONE, Optional.empty());
    }

    /** Returns these services with other content clusters. */
    public Services with(List<ContentCluster> others) {
        return new Services(containers, others, jars, topology, specialTokens, root);
    }

    /** Returns these services with other container clusters. */
    public Services withContainers(List<ContainerCluster> others) {
        return new Services(others, contents, jars, topology, specialTokens, root);
    }

    /**
     * Returns the host names of this application in requests: the hosts of hosts.xml and the hosts
     * of bindings. Bindings whose host contains {@code *} add no name.
     */
    public Set<String> hostNames() {
        Stream<String> bound =
                containers.stream()
                        .flatMap(Services::boundHosts)
                        .flatMap(Optional::stream)
                        .filter(host -> !host.contains("*"));
        return Stream.concat(topology.hosts().stream(), bound)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Stream<Optional<String>> boundHosts(ContainerCluster cluster) {
        Stream<ServedPath> roots =
                cluster.documentApi().stream().flatMap(api -> api.roots().stream());
        Stream<ServedPath> queries = cluster.search().stream().flatMap(api -> api.paths().stream());
        return Stream.concat(
                Stream.concat(queries, roots).map(ServedPath::host),
                cluster.own().bindings().values().stream()
                        .flatMap(List::stream)
                        .map(Binding::host));
    }
}
