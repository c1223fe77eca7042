package org.crabro.config.services;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.crabro.config.application.XmlElement;

/** Reads the hosts of the clusters. Other readers report elements with errors. */
record TopologyReader(Optional<Hosts> hosts) {
    Topology topology(
            List<XmlElement> admins, List<XmlElement> containers, List<XmlElement> contents) {
        List<String> servers =
                admins.stream()
                        .flatMap(admin -> configServers(admin).stream())
                        .flatMap(server -> host(server).stream())
                        .distinct()
                        .toList();
        var containerHosts = new LinkedHashMap<String, List<String>>();
        for (XmlElement container : containers) {
            List<String> names =
                    nodes(container).stream().flatMap(node -> host(node).stream()).toList();
            containerHosts.put(ContainerReader.id(container), names.stream().distinct().toList());
        }
        var contentNodes = new LinkedHashMap<String, Topology.ContentNodes>();
        for (XmlElement content : contents) {
            contentNodes.put(ContentReader.id(content), contentNodes(content));
        }
        Set<String> all =
                hosts.stream()
                        .flatMap(declared -> declared.names().values().stream())
                        .collect(Collectors.toSet());
        return new Topology(all, servers, containerHosts, contentNodes);
    }

    private static List<XmlElement> configServers(XmlElement admin) {
        var elements = new ArrayList<>(admin.children("configserver"));
        admin.children("configservers")
                .forEach(list -> elements.addAll(list.children("configserver")));
        return elements;
    }

    private static List<XmlElement> nodes(XmlElement cluster) {
        return cluster.children("nodes").stream()
                .flatMap(list -> list.children("node").stream())
                .toList();
    }

    private Topology.ContentNodes contentNodes(XmlElement content) {
        var elements = new ArrayList<>(nodes(content));
        content.children("group").forEach(group -> addNodes(group, elements));
        var hosts = new TreeMap<Integer, Topology.ContentHost>();
        for (XmlElement node : elements) {
            Optional<String> host = host(node);
            int key = number(node, "distribution-key", Integer::parseInt).orElse(hosts.size());
            double capacity =
                    number(node, "capacity", Double::parseDouble)
                            .filter(each -> each > 0)
                            .orElse(1.0);
            boolean isRetired = node.attribute("retired").filter("true"::equals).isPresent();
            host.ifPresent(
                    name -> hosts.put(key, new Topology.ContentHost(name, capacity, isRetired)));
        }
        return new Topology.ContentNodes(Math.max(1, NodesReader.copies(content)), hosts);
    }

    private static void addNodes(XmlElement group, List<XmlElement> to) {
        to.addAll(group.children("node"));
        group.children("group").forEach(child -> addNodes(child, to));
    }

    private Optional<String> host(XmlElement node) {
        return node.attribute("hostalias")
                .map(alias -> hosts.map(declared -> declared.name(alias)).orElse(alias));
    }

    private static <N> Optional<N> number(
            XmlElement element, String attribute, Function<String, N> parse) {
        try {
            return element.attribute(attribute).map(parse);
        } catch (NumberFormatException _) {
            // The outline reports it.
            return Optional.empty();
        }
    }
}
