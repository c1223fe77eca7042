package org.crabro.config.services;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.XmlElement;

/** Checks that the routes in {@code routing} lead through hops that exist. */
final class RoutingCheck {
    /** A hop that is an address, a policy or a pattern, and not a name. */
    private static final Pattern ADDRESS = Pattern.compile(".*[/\\[:*].*");

    private static final Set<String> BUILT_IN = Set.of("default", "default-get", "indexing");

    private RoutingCheck() {}

    /**
     * Reports hops that do not exist.
     *
     * @param clusters the names of all clusters, which are hops too
     */
    static void check(List<XmlElement> routings, Set<String> clusters) {
        for (XmlElement routing : routings) {
            for (XmlElement table : routing.children("routingtable")) {
                check(table, clusters);
            }
        }
    }

    private static void check(XmlElement table, Set<String> clusters) {
        var names = new TreeSet<>(clusters);
        table.children("hop").forEach(hop -> hop.attribute("name").ifPresent(names::add));
        table.children("route").forEach(route -> route.attribute("name").ifPresent(names::add));
        for (XmlElement route : table.children("route")) {
            for (String hop : route.attribute("hops").orElse("").strip().split("\\s+", -1)) {
                if (!hop.isEmpty()
                        && !ADDRESS.matcher(hop).matches()
                        && !names.contains(hop)
                        && !BUILT_IN.contains(hop)) {
                    route.file()
                            .problem(
                                    route,
                                    "hops",
                                    "there is no hop '%s', only %s%s"
                                            .formatted(
                                                    hop,
                                                    String.join(", ", names),
                                                    NearestName.hint(hop, names)));
                }
            }
        }
    }
}
