package org.crabro.container;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.crabro.config.application.Notice;
import org.crabro.config.component.OwnComponent;
import org.crabro.config.component.OwnComponents.Binding;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.ServedPath;
import org.crabro.container.access.AccessHandler.Demand;
import org.crabro.container.access.Route;
import org.crabro.container.component.ComponentHandler;
import org.crabro.container.visit.GroupTotalsHandler;

/**
 * The order of the handlers of a port. A component of the application replaces an endpoint of the
 * server if it is bound to the path of the endpoint; a pattern that only covers this path does not
 * replace it.
 */
final class ServedRoutes {
    private static final String DOCUMENTS = "/document/v1/";
    private static final String SEARCH = "/search/";
    private static final String MODELS = "/model-evaluation/";
    private static final String STAR = "*";

    private ServedRoutes() {}

    /**
     * Returns the routes of components and endpoints, in the order in which they are asked.
     *
     * @param ends the endpoints of the server, each with its paths
     */
    static List<Route> inOrder(
            List<ComponentHandler> own, List<ContainerCluster> clusters, List<Route> ends) {
        Set<String> roots = roots(clusters);
        var routes = new ArrayList<Route>();
        own.forEach(each ->
                routes.addAll(of(each, binding -> covered(binding.pattern(), roots).isEmpty())));
        routes.addAll(ends);
        own.forEach(each ->
                routes.addAll(of(each, binding -> !covered(binding.pattern(), roots).isEmpty())));
        return routes;
    }

    private static List<Route> of(ComponentHandler component, Predicate<Binding> selected) {
        List<Binding> bindings = component.bindings().stream().filter(selected).toList();
        return bindings.isEmpty()
                ? List.of()
                : List.of(
                        new Route(
                                component.id(),
                                new Route.Paths(
                                        bindings.stream().map(Binding::pattern).toList(),
                                        true,
                                        ComponentHandler.at(bindings)),
                                Demand::byMethod,
                                component));
    }

    /** Returns the beginnings of the paths that the server answers for these clusters. */
    private static Set<String> roots(List<ContainerCluster> clusters) {
        var roots = new LinkedHashSet<String>();
        for (ContainerCluster cluster : clusters) {
            cluster.search()
                    .ifPresent(api ->
                            paths(api.paths(), SEARCH)
                                    .map(ServedRoutes::start)
                                    .forEach(roots::add));
            cluster.documentApi()
                    .ifPresent(api ->
                            paths(api.roots(), "/")
                                    .map(root -> root + DOCUMENTS.substring(1))
                                    .forEach(roots::add));
            if (cluster.search().isPresent()) {
                roots.add(SchemasHandler.PATH);
                roots.add(GroupTotalsHandler.PATH);
            }
            if (cluster.models().api().isPresent()) {
                roots.add(MODELS);
            }
            cluster.own().tools().forEach(tool -> roots.add(start(tool.pattern())));
        }
        return roots;
    }

    private static Stream<String> paths(List<ServedPath> given, String otherwise) {
        return given.isEmpty() ? Stream.of(otherwise) : given.stream().map(ServedPath::pattern);
    }

    private static String start(String pattern) {
        int star = pattern.indexOf(STAR);
        return star < 0 ? pattern : pattern.substring(0, star);
    }

    /** Returns which of {@code roots} a pattern covers without being bound to them. */
    private static List<String> covered(String pattern, Set<String> roots) {
        if (!pattern.contains(STAR)) {
            return List.of();
        }
        String start = start(pattern);
        return roots.stream()
                .filter(root -> root.startsWith(start) && !root.equals(start))
                .toList();
    }

    /**
     * Returns a notice for each handler whose pattern covers endpoints that it does not replace.
     */
    static List<Notice> notices(ContainerCluster cluster) {
        Set<String> roots = roots(List.of(cluster));
        var notices = new ArrayList<Notice>();
        for (OwnComponent component : cluster.own().components()) {
            for (Binding binding :
                    cluster.own().bindings().getOrDefault(component.key(), List.of())) {
                List<String> covered = covered(binding.pattern(), roots);
                if (!covered.isEmpty()) {
                    notices.add(
                            new Notice(
                                    Notice.Level.WARNING,
                                    "container '%s', handler '%s': '%s' covers %s, which the server answers itself; bind the handler to such a path to replace the server"
                                            .formatted(
                                                    cluster.id(),
                                                    component.id(),
                                                    binding.pattern(),
                                                    String.join(", ", covered))));
                }
            }
        }
        return notices;
    }
}
