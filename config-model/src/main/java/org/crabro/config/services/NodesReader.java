package org.crabro.config.services;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.crabro.config.application.Findings;
import org.crabro.config.application.XmlElement;

/**
 * Checks the nodes of a cluster. A server that is not part of a cluster has all roles, so there the
 * nodes have no other effect.
 */
final class NodesReader {
    /** A number, or its minimum and maximum. */
    private static final Pattern COUNT = Pattern.compile("[0-9]{1,5}|\\[[0-9]{0,5}, ?[0-9]{0,5}]");

    private static final Pattern PARTITIONS =
            Pattern.compile("([0-9]{1,5}|\\*)(\\|([0-9]{1,5}|\\*))*");

    /** Larger keys were already rejected. */
    private static final int KEY_MAX = 65_534;

    /** Keys this many times above the number of nodes are probably mistyped. */
    private static final int KEY_FACTOR = 100;

    private final Findings findings;

    NodesReader(Findings findings) {
        this.findings = findings;
    }

    /** Checks the nodes of a container cluster. */
    void containers(XmlElement cluster) {
        cluster.children("nodes").forEach(this::checkCounts);
    }

    /** Checks the nodes and groups of a content cluster. */
    void contents(XmlElement cluster, String id) {
        List<XmlElement> lists = cluster.children("nodes");
        List<XmlElement> roots = cluster.children("group");
        lists.forEach(this::checkCounts);
        if (!lists.isEmpty() && !roots.isEmpty()) {
            problem(
                    roots.getFirst(),
                    "content '%s' has both nodes and group; expected one of them".formatted(id));
        }
        var nodes = new ArrayList<XmlElement>();
        lists.forEach(list -> nodes.addAll(list.children("node")));
        for (XmlElement root : roots) {
            var leaves = new LinkedHashMap<XmlElement, Integer>();
            group(root, 0, leaves, nodes);
            checkLeaves(cluster, id, root, leaves);
        }
        checkKeys(nodes);
    }

    private void checkCounts(XmlElement nodes) {
        for (String name : new String[] {"count", "groups", "group-size"}) {
            Optional<String> count = nodes.attribute(name);
            if (count.isPresent() && !COUNT.matcher(count.get()).matches()) {
                nodes.file()
                        .problem(
                                nodes,
                                name,
                                "expected a number, or the least and the most as in [2, 4], but"
                                        + " found '%s'".formatted(count.get()));
            }
        }
    }

    private void group(
            XmlElement group, int depth, Map<XmlElement, Integer> leaves, List<XmlElement> nodes) {
        List<XmlElement> groups = group.children("group");
        List<XmlElement> own = group.children("node");
        nodes.addAll(own);
        if (!groups.isEmpty() && !own.isEmpty()) {
            problem(
                    own.getFirst(),
                    "%s has both nodes and groups; expected one of them".formatted(shown(group)));
        }
        if (depth > 1) {
            problem(
                    group,
                    "%s is nested deeper than one level below the outermost group"
                            .formatted(shown(group)));
            return;
        }
        // A cloud counts the nodes of a group itself.
        if (groups.isEmpty() && group.children("nodes").isEmpty()) {
            leaves.put(group, own.size());
            if (own.isEmpty()) {
                problem(group, "%s holds no node".formatted(shown(group)));
            }
        }
        var names = new HashMap<String, XmlElement>();
        for (XmlElement child : groups) {
            Optional<String> name = child.attribute("name");
            if (name.isEmpty()) {
                problem(child, "group needs name");
            } else {
                XmlElement first = names.putIfAbsent(name.get(), child);
                if (first != null) {
                    child.file()
                            .problem(
                                    child,
                                    "name",
                                    "group '%s' is declared twice; the first is at %s"
                                            .formatted(name.get(), child.file().seen(first)));
                }
            }
            group(child, depth + 1, leaves, nodes);
        }
        checkPartitions(group, groups.size());
    }

    private static void checkPartitions(XmlElement group, int groups) {
        List<XmlElement> distributions = group.children("distribution");
        if (groups > 1 && distributions.isEmpty()) {
            problem(
                    group,
                    "%s has %d groups and needs distribution, as in <distribution partitions=\"1|*\"/>"
                            .formatted(shown(group), groups));
        }
        for (XmlElement distribution : distributions) {
            String partitions = distribution.attribute("partitions").orElse("");
            if (partitions.isEmpty()) {
                continue;
            }
            if (!PARTITIONS.matcher(partitions).matches()) {
                distribution
                        .file()
                        .problem(
                                distribution,
                                "partitions",
                                "expected numbers and at last a star, as in 1|*, but found '%s'"
                                        .formatted(partitions));
            } else if (partitions.split("\\|", -1).length != groups) {
                distribution
                        .file()
                        .problem(
                                distribution,
                                "partitions",
                                "'%s' shares out over %d groups, but %s has %d"
                                        .formatted(
                                                partitions,
                                                partitions.split("\\|", -1).length,
                                                shown(group),
                                                groups));
            }
        }
    }

    private static void checkLeaves(
            XmlElement cluster, String id, XmlElement root, Map<XmlElement, Integer> leaves) {
        if (new HashSet<>(leaves.values()).size() > 1) {
            var counts = new ArrayList<String>();
            leaves.forEach((leaf, count) -> counts.add(shown(leaf) + " has " + count));
            problem(
                    root,
                    "content '%s': groups need as many nodes each, but %s"
                            .formatted(id, String.join(", ", counts)));
        }
        int copies = copies(cluster);
        if (leaves.size() > 1 && copies > 0 && copies % leaves.size() != 0) {
            problem(
                    root,
                    "content '%s': redundancy %d cannot be shared out over %d groups; expected a"
                                    .formatted(id, copies, leaves.size())
                            + " multiple of %d".formatted(leaves.size()));
        }
    }

    /** Returns the number of requested copies; 0 if it cannot be read. */
    static int copies(XmlElement cluster) {
        for (String name : new String[] {"redundancy", "min-redundancy"}) {
            for (XmlElement element : cluster.children(name)) {
                if (element.text().matches("[0-9]{1,5}")) {
                    return Integer.parseInt(element.text());
                }
            }
        }
        return 0;
    }

    private void checkKeys(List<XmlElement> nodes) {
        var keys = new HashMap<String, XmlElement>();
        for (XmlElement node : nodes) {
            Optional<String> key = node.attribute("distribution-key");
            if (key.isEmpty()) {
                continue;
            }
            XmlElement first = keys.putIfAbsent(key.get(), node);
            if (first != null) {
                node.file()
                        .problem(
                                node,
                                "distribution-key",
                                "distribution-key %s is declared twice; the first is at %s"
                                        .formatted(key.get(), node.file().seen(first)));
            } else if (key.get().matches("[0-9]{1,5}")
                    && Integer.parseInt(key.get()) <= KEY_MAX
                    && Integer.parseInt(key.get()) > KEY_FACTOR * nodes.size()) {
                findings.warn(
                        "%s: distribution-key %s is far above the number of nodes, which is %d"
                                .formatted(node.file().place(node), key.get(), nodes.size()));
            }
        }
    }

    private static String shown(XmlElement group) {
        return "group" + group.attribute("name").map(name -> " '" + name + "'").orElse("");
    }

    private static void problem(XmlElement element, String problem) {
        element.file().problem(element, problem);
    }
}
