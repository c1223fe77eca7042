package org.crabro.config.services;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.XmlElement;

/**
 * Checks chains: sorted searchers, document processors or filters. A chain without parts has those
 * that it inherits.
 *
 * @param elements the name of the elements of chains
 * @param component the kind of the parts: {@code searcher}, {@code documentprocessor} or {@code
 *     filter}
 * @param shown the kind of the parts in messages
 * @param builtIn the chains that always exist
 */
record ChainReader(Set<String> elements, String component, String shown, Set<String> builtIn) {
    static final ChainReader SEARCH =
            new ChainReader(
                    Set.of("chain", "provider", "source"),
                    "searcher",
                    "searcher",
                    Set.of("vespa", "native"));
    static final ChainReader DOCUMENTS =
            new ChainReader(
                    Set.of("chain"), "documentprocessor", "document processor", Set.of("indexing"));

    /** A part of a search chain that asks other chains. */
    static final String FEDERATION = "federation";

    /** Limits the number of parts that are compared with each other. */
    private static final int CHAINS_MAX = 1_000;

    private static final int PARTS_MAX = 1_000;

    /** The children of a chain that have a place in its order. */
    private record Part(
            XmlElement element, Set<String> names, Set<String> after, Set<String> before) {}

    /** Gets the components of chains. */
    interface OwnParts {
        /**
         * Adds a component.
         *
         * @param chain that contains it; empty if several chains share it
         */
        void add(XmlElement component, Optional<XmlElement> chain);
    }

    /**
     * The result of reading the chains of a section.
     *
     * @param inherited by chain, the chains that it inherits directly or indirectly
     * @param order sorts the parts of the chains
     */
    record Chains(Map<String, Set<String>> inherited, ChainOrder order) {}

    /**
     * Returns the chains of a section, and reports all problems.
     *
     * @param section that contains chains and shared components
     * @param own gets the components
     * @param phases that every chain has
     */
    Chains chains(XmlElement section, OwnParts own, List<String> phases) {
        List<XmlElement> all =
                section.children().stream().filter(each -> elements.contains(each.name())).toList();
        if (all.size() > CHAINS_MAX) {
            problem(
                    all.get(CHAINS_MAX),
                    "%s has %,d chains; at most %,d are allowed"
                            .formatted(section.name(), all.size(), CHAINS_MAX));
            return new Chains(
                    Map.of(),
                    new ChainOrder(component, Map.of(), Map.of(), Map.of(), builtIn, phases));
        }
        Map<String, XmlElement> shared = unique(section.children(component), component);
        shared.values().forEach(each -> own.add(each, Optional.empty()));
        unique(section.children(FEDERATION), FEDERATION)
                .forEach((id, federation) -> {
                    XmlElement other = shared.putIfAbsent(id, federation);
                    if (other != null) {
                        declaredTwice(federation, FEDERATION, id, other);
                    }
                });
        Map<String, XmlElement> chains = unique(all, "chain");
        var parents = new LinkedHashMap<String, List<String>>();
        // The chain that seems to be missing may be in a part that could not be read.
        boolean isWhole = !section.file().isCut(section);
        chains.forEach((id, chain) -> parents.put(id, inherits(chain, chains.keySet(), isWhole)));
        var inherited = new LinkedHashMap<String, Set<String>>();
        chains.forEach((id, chain) -> {
            inherited.put(id, ancestors(id, parents));
            checkCycle(id, chain, parents);
            checkMembers(chain, shared, own);
            checkOrder(chain);
        });
        return new Chains(
                inherited, new ChainOrder(component, chains, shared, parents, builtIn, phases));
    }

    private static Map<String, XmlElement> unique(List<XmlElement> elements, String what) {
        var byId = new LinkedHashMap<String, XmlElement>();
        for (XmlElement element : elements) {
            Optional<String> id = id(element);
            if (id.isEmpty()) {
                if (!what.equals("chain")) {
                    problem(element, what + " needs an id");
                }
                continue;
            }
            XmlElement first = byId.putIfAbsent(id.get(), element);
            if (first != null) {
                declaredTwice(element, what, id.get(), first);
            }
        }
        return byId;
    }

    private static void declaredTwice(
            XmlElement element, String what, String id, XmlElement first) {
        element.file()
                .problem(
                        element,
                        "id",
                        "%s '%s' is declared twice; the first is at %s"
                                .formatted(what, id, element.file().seen(first)));
    }

    private static Optional<String> id(XmlElement element) {
        return element.attribute("id").filter(id -> !id.isEmpty());
    }

    /** Reports that a component cannot run. */
    void refuse(XmlElement element) {
        String name = element.attribute("class").or(() -> id(element)).orElse("");
        if (!name.isEmpty()) {
            problem(
                    element,
                    "class %s cannot be used: own %ss are not built, and requests would pass without it; do its work in a proxy in front of the server"
                            .formatted(name, shown));
        }
    }

    private List<String> inherits(
            XmlElement chain, Collection<String> chains, boolean tellsMissing) {
        var names = new TreeSet<>(chains);
        names.addAll(builtIn);
        var parents = new ArrayList<>(words(chain, "inherits"));
        if (tellsMissing) {
            parents.forEach(parent -> checkParent(chain, "inherits", parent, names));
        }
        for (XmlElement inherits : chain.children("inherits")) {
            for (XmlElement parent : inherits.children()) {
                if (parent.name().equals("exclude")) {
                    continue;
                }
                id(parent)
                        .or(() -> parent.attribute("idref"))
                        .or(() -> parent.attribute("ident"))
                        .ifPresent(id -> {
                            if (tellsMissing) {
                                checkParent(parent, "id", id, names);
                            }
                            parents.add(id);
                        });
            }
        }
        return parents;
    }

    private static void checkParent(
            XmlElement element, String attribute, String parent, Collection<String> candidates) {
        if (!candidates.contains(parent)) {
            element.file()
                    .problem(
                            element,
                            attribute,
                            "there is no chain '%s' to inherit, only %s%s"
                                    .formatted(
                                            parent,
                                            String.join(", ", candidates),
                                            NearestName.hint(parent, candidates)));
        }
    }

    private static Set<String> ancestors(String id, Map<String, List<String>> parents) {
        var ancestors = new LinkedHashSet<String>();
        var open = new ArrayList<>(parents.getOrDefault(id, List.of()));
        while (!open.isEmpty()) {
            String next = open.removeLast();
            if (ancestors.add(next)) {
                open.addAll(parents.getOrDefault(next, List.of()));
            }
        }
        return ancestors;
    }

    private static void checkCycle(String id, XmlElement chain, Map<String, List<String>> parents) {
        var path = new ArrayList<>(List.of(id));
        if (closes(id, id, parents, path, new HashSet<>())) {
            chain.file()
                    .problem(
                            chain,
                            "inherits",
                            "chain '%s' inherits itself: %s"
                                    .formatted(id, String.join(" -> ", path)));
        }
    }

    private static boolean closes(
            String from,
            String to,
            Map<String, List<String>> parents,
            List<String> path,
            Set<String> seen) {
        for (String parent : parents.getOrDefault(from, List.of())) {
            path.add(parent);
            if (parent.equals(to)
                    || (seen.add(parent) && closes(parent, to, parents, path, seen))) {
                return true;
            }
            path.removeLast();
        }
        return false;
    }

    private void checkMembers(XmlElement chain, Map<String, XmlElement> all, OwnParts own) {
        Map<String, XmlElement> shared = named(component, all);
        for (String name : words(chain, component + "s")) {
            checkShared(chain, component + "s", name, shared);
        }
        checkFederations(chain, all);
        Map<String, XmlElement> members =
                unique(
                        chain.children(component).stream().filter(e -> id(e).isPresent()).toList(),
                        component);
        for (XmlElement element : chain.children(component)) {
            Optional<String> reference = element.attribute("idref");
            if (reference.isPresent()) {
                checkShared(element, "idref", reference.get(), shared);
            } else if (id(element).isEmpty()) {
                problem(element, component + " needs an id");
            } else if (!shared.containsKey(id(element).get())
                    && element.equals(members.get(id(element).get()))) {
                own.add(element, Optional.of(chain));
            }
        }
    }

    private static Map<String, XmlElement> named(String kind, Map<String, XmlElement> all) {
        var named = new LinkedHashMap<>(all);
        named.values().removeIf(element -> !element.name().equals(kind));
        return named;
    }

    private void checkFederations(XmlElement chain, Map<String, XmlElement> all) {
        Map<String, XmlElement> members = new LinkedHashMap<>();
        for (XmlElement element : chain.children()) {
            if (!element.name().equals(FEDERATION) && !element.name().equals(component)) {
                continue;
            }
            boolean isFederation = element.name().equals(FEDERATION);
            Optional<String> id = element.attribute("idref").or(() -> id(element));
            if (id.isEmpty()) {
                if (isFederation) {
                    problem(element, "federation needs an id");
                }
                continue;
            }
            if (isFederation && element.attribute("idref").isPresent()) {
                checkShared(element, "idref", id.get(), named(FEDERATION, all));
            }
            XmlElement first = members.putIfAbsent(id.get(), element);
            if (first != null && (isFederation || first.name().equals(FEDERATION))) {
                declaredTwice(element, element.name(), id.get(), first);
            }
        }
    }

    private static void checkShared(
            XmlElement element, String attribute, String name, Map<String, XmlElement> shared) {
        if (!shared.containsKey(name)) {
            String kind =
                    attribute.equals("idref") ? element.name() : attribute.replaceAll("s$", "");
            element.file()
                    .problem(
                            element,
                            attribute,
                            "there is no %s '%s'%s%s"
                                    .formatted(
                                            kind,
                                            name,
                                            shared.isEmpty()
                                                    ? ""
                                                    : ", only "
                                                            + String.join(", ", shared.keySet()),
                                            NearestName.hint(name, shared.keySet())));
        }
    }

    /** Reports the parts of a chain whose order is cyclic. */
    private void checkOrder(XmlElement chain) {
        var parts = new ArrayList<Part>();
        for (XmlElement element : chain.children()) {
            if (element.name().equals(component) || element.name().equals("phase")) {
                var names = all(element, "provides");
                id(element).or(() -> element.attribute("idref")).ifPresent(names::add);
                parts.add(new Part(element, names, all(element, "after"), all(element, "before")));
            }
        }
        if (parts.size() > PARTS_MAX) {
            problem(
                    chain,
                    "chain '%s' has %,d parts; at most %,d are allowed"
                            .formatted(id(chain).orElse(""), parts.size(), PARTS_MAX));
            return;
        }
        List<Part> left = cycles(parts);
        if (!left.isEmpty()) {
            problem(
                    chain,
                    "chain '%s' cannot be put in order: each of %s has to come before another of them"
                            .formatted(
                                    id(chain).orElse(""),
                                    String.join(
                                            ", ",
                                            left.stream()
                                                    .map(part -> part.names.iterator().next())
                                                    .toList())));
        }
    }

    /** Returns the parts that are in a cycle or on a path between cycles, in the given order. */
    private static List<Part> cycles(List<Part> parts) {
        var left = new BitSet(parts.size());
        left.set(0, parts.size());
        var followers = new ArrayList<BitSet>();
        for (Part first : parts) {
            var of = new BitSet(parts.size());
            for (int i = 0; i < parts.size(); i++) {
                if (precedes(first, parts.get(i))) {
                    of.set(i);
                }
            }
            followers.add(of);
        }
        int before = parts.size() + 1;
        while (left.cardinality() < before) {
            before = left.cardinality();
            // A part without predecessors or without successors is not in a cycle.
            var reached = new BitSet(parts.size());
            left.stream().forEach(i -> reached.or(followers.get(i)));
            left.and(reached);
            for (int i : left.stream().toArray()) {
                if (!followers.get(i).intersects(left)) {
                    left.clear(i);
                }
            }
        }
        return left.stream().mapToObj(parts::get).toList();
    }

    private static boolean precedes(Part first, Part second) {
        return meets(first.before, second.names) || meets(second.after, first.names);
    }

    private static boolean meets(Set<String> some, Set<String> others) {
        return some.stream().anyMatch(others::contains);
    }

    /** Returns the values of an attribute and of the elements with the same name. */
    static Set<String> all(XmlElement element, String name) {
        var names = new LinkedHashSet<>(words(element, name));
        element.children(name).forEach(child -> names.add(child.text()));
        return names;
    }

    static List<String> words(XmlElement element, String attribute) {
        return Stream.of(element.attribute(attribute).orElse(""))
                .flatMap(text -> Arrays.stream(text.split("[\\s,]+")))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private static void problem(XmlElement element, String problem) {
        element.file().problem(element, problem);
    }
}
