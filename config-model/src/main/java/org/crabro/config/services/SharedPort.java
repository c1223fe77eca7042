package org.crabro.config.services;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.component.Config;
import org.crabro.config.application.Findings;
import org.crabro.config.application.XmlElement;
import org.crabro.config.component.OwnComponent;
import org.crabro.config.component.OwnComponents;
import org.crabro.config.component.OwnComponents.Binding;
import org.crabro.config.component.OwnComponents.Chain;
import org.crabro.config.services.ContainerCluster.DocumentApi;

/**
 * A port of two container clusters with nodes of their own. One process answers for both: it has
 * the search chains and handlers of both. So a name or an address must mean the same in both.
 *
 * @param element that names the port
 * @param first the cluster that is earlier in services.xml
 * @param example of a server with another port
 */
record SharedPort(XmlElement element, String first, String second, int port, String example) {
    /** The names that queries may use even if a cluster declares no chain. */
    private static final Set<String> IN_EVERY_CLUSTER = Set.of("default", "native", "vespa");

    /** What a component does. */
    private record Behavior(String className, Map<String, Config> configs) {
        static Behavior of(OwnComponent component) {
            return new Behavior(component.className(), component.configs());
        }
    }

    /** Reports requests that processes of their own would answer differently. */
    void check(ContainerCluster one, ContainerCluster other, Findings findings) {
        differingChain(one, other).ifPresent(chain -> refuse("search chain '" + chain + "'"));
        differingHandler(one.own(), other.own())
                .ifPresent(binding -> refuse("handler of " + binding.pattern()));
        Optional<DocumentApi> documents = one.documentApi();
        if (documents.isPresent()
                && other.documentApi().isPresent()
                && !documents.equals(other.documentApi())) {
            findings.warn(
                    "%s: at port %d, the document-api settings of container '%s' are those of '%s', too"
                            .formatted(element.file().place(element), port, second, first));
        }
    }

    private void refuse(String what) {
        element.file()
                .problem(
                        element,
                        "containers '%s' and '%s' both listen on port %d, and each has a different %s; give one of them another port, as in %s"
                                .formatted(first, second, port, what, example));
    }

    private static Optional<String> differingChain(ContainerCluster one, ContainerCluster other) {
        if (one.search().isEmpty() || other.search().isEmpty()) {
            return Optional.empty();
        }
        var names = new TreeSet<>(one.search().get().chains());
        names.retainAll(other.search().get().chains());
        names.addAll(IN_EVERY_CLUSTER);
        return names.stream().filter(name -> differs(name, one.own(), other.own())).findFirst();
    }

    private static boolean differs(String chain, OwnComponents one, OwnComponents other) {
        Chain first = one.searchChains().byId().getOrDefault(chain, Chain.BUILT_IN);
        Chain second = other.searchChains().byId().getOrDefault(chain, Chain.BUILT_IN);
        return !first.equals(second)
                || !behaviors(one, first.keys()).equals(behaviors(other, second.keys()));
    }

    private static Map<String, Behavior> behaviors(OwnComponents own, List<String> keys) {
        var behaviors = new LinkedHashMap<String, Behavior>();
        for (OwnComponent component : own.components()) {
            if (keys.contains(component.key())) {
                behaviors.put(component.key(), Behavior.of(component));
            }
        }
        return behaviors;
    }

    private static Optional<Binding> differingHandler(OwnComponents one, OwnComponents other) {
        Map<Binding, Behavior> others = handlers(other);
        return handlers(one).entrySet().stream()
                .filter(each ->
                        !each.getValue()
                                .equals(others.getOrDefault(each.getKey(), each.getValue())))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private static Map<Binding, Behavior> handlers(OwnComponents own) {
        var handlers = new LinkedHashMap<Binding, Behavior>();
        for (OwnComponent component : own.components()) {
            for (Binding binding : own.bindings().getOrDefault(component.key(), List.of())) {
                handlers.put(binding, Behavior.of(component));
            }
        }
        return handlers;
    }
}
