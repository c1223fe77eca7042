package org.crabro.config.services;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.XmlElement;

/**
 * The hosts of hosts.xml, by their aliases.
 *
 * @param names the name of each host, by alias
 */
record Hosts(Map<String, String> names) {
    private static final String PATH = "hosts.xml";

    Hosts {
        names = Map.copyOf(names);
    }

    /** Returns the hosts in a package's hosts.xml. Without the file every alias is this machine. */
    static Optional<Hosts> read(ApplicationFiles files, ApplicationName name, Findings findings) {
        return files.paths().contains(PATH)
                ? XmlPreprocessor.read(files, PATH, name, findings, Set.of("host"), Hosts::hosts)
                        .flatMap(Hosts::hosts)
                : Optional.empty();
    }

    private static Optional<Hosts> hosts(XmlElement root) {
        if (!root.name().equals("hosts")) {
            problem(root, "expected hosts, but found '" + root.name() + "'");
            return Optional.empty();
        }
        var names = new LinkedHashMap<String, String>();
        boolean isWhole = true;
        for (XmlElement host : root.children()) {
            isWhole &= read(host, names);
        }
        return isWhole ? Optional.of(new Hosts(names)) : Optional.empty();
    }

    private static boolean read(XmlElement host, Map<String, String> into) {
        Optional<String> name = host.attribute("name").filter(text -> !text.isEmpty());
        if (!host.name().equals("host")) {
            return problem(host, "unknown element '" + host.name() + "' in hosts; expected host");
        }
        if (name.isEmpty()) {
            return problem(host, "host needs a name");
        }
        if (host.children("alias").isEmpty()) {
            return problem(host, "host '" + name.get() + "' needs an alias");
        }
        boolean isWhole = true;
        for (XmlElement alias : host.children()) {
            if (!alias.name().equals("alias")) {
                isWhole =
                        problem(
                                alias,
                                "unknown element '%s' in host; expected alias"
                                        .formatted(alias.name()));
            } else if (alias.text().isEmpty()) {
                isWhole = problem(alias, "the alias is empty");
            } else if (into.putIfAbsent(alias.text(), name.get()) != null) {
                isWhole = problem(alias, "alias '" + alias.text() + "' is declared twice");
            }
        }
        return isWhole;
    }

    private static boolean problem(XmlElement element, String problem) {
        element.file().problem(element, problem);
        return false;
    }

    /** Returns the host that an alias means, or the alias where hosts.xml does not know it. */
    String name(String alias) {
        return names.getOrDefault(alias, alias);
    }

    /** Reports aliases that clusters name and no host has. */
    void check(XmlElement services) {
        boolean isCluster = !services.name().equals("services");
        for (XmlElement child : services.children()) {
            check(child, isCluster ? services : child);
        }
    }

    private void check(XmlElement element, XmlElement cluster) {
        Optional<String> alias = element.attribute("hostalias");
        if (alias.isPresent() && !names.containsKey(alias.get())) {
            element.file()
                    .problem(
                            element,
                            "hostalias",
                            "%s '%s': hosts.xml has no alias '%s'; there are %s%s"
                                    .formatted(
                                            cluster.name(),
                                            cluster.attribute("id").orElse("default"),
                                            alias.get(),
                                            String.join(
                                                    ", ",
                                                    names.keySet().stream().sorted().toList()),
                                            NearestName.hint(alias.get(), names.keySet())));
        }
        if (element.name().equals("nodes") && element.attribute("count").isPresent()) {
            element.file()
                    .problem(
                            element,
                            "count",
                            "%s '%s': a count of nodes is for clouds; with hosts.xml, name each as in"
                                            .formatted(
                                                    cluster.name(),
                                                    cluster.attribute("id").orElse("default"))
                                    + " <node hostalias=\"...\"/>");
        }
        element.children().forEach(child -> check(child, cluster));
    }
}
