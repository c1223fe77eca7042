package org.crabro.config.services;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.crabro.config.application.XmlElement;
import org.crabro.config.component.ChainEnding;
import org.crabro.config.component.OwnComponents.Chain;

/**
 * Sorts the parts of checked chains, inherited ones and own ones. Each part comes after those in
 * its {@code after} and before those in its {@code before}. Other parts keep the order of their
 * declaration, inherited ones first, and federations last.
 *
 * @param component the kind of the parts
 * @param chains by id
 * @param shared components and federations outside of chains, by id
 * @param builtIn the chains that always exist
 * @param phases that every chain has, in their order
 */
record ChainOrder(
        String component,
        Map<String, XmlElement> chains,
        Map<String, XmlElement> shared,
        Map<String, List<String>> parents,
        Set<String> builtIn,
        List<String> phases) {
    private static final int PARTS_MAX = 1_000;

    /** A built-in searcher. A chain without it does not mix the hits of its sources. */
    static final String BLENDING = "BlendingSearcher";

    /** A built-in searcher. A chain without it does not stem words. */
    static final String STEMMING = "StemmingSearcher";

    /** The names by which other parts refer to a federation. */
    private static final Set<String> FEDERATION_NAMES =
            Set.of(
                    ChainReader.FEDERATION,
                    "FederationSearcher",
                    "com.yahoo.search.federation.FederationSearcher");

    /**
     * A component, a federation or a phase.
     *
     * @param key empty for a phase
     */
    private record Part(
            String key,
            Set<String> names,
            Set<String> after,
            Set<String> before,
            boolean isFederation) {
        static Part phase(String name, Set<String> after, Set<String> before) {
            return new Part("", Set.of(name), after, before, false);
        }

        boolean precedes(Part other) {
            return meets(before, other.names) || meets(other.after, names);
        }

        private static boolean meets(Set<String> some, Set<String> others) {
            return some.stream().anyMatch(others::contains);
        }
    }

    /** The parts of a chain by id, so that own parts replace inherited ones. */
    private record Parts(Map<String, Part> byId, ChainEnding ending, boolean stems) {}

    /** Returns the chains in order, without those that cannot be, which is reported. */
    Map<String, Chain> ordered() {
        var ordered = new LinkedHashMap<String, Chain>();
        chains.forEach((id, element) -> {
            Parts parts = parts(id);
            order(id, element, List.copyOf(parts.byId.values()))
                    .ifPresent(keys -> ordered.put(id, new Chain(keys, parts.ending, parts.stems)));
        });
        return ordered;
    }

    private Parts parts(String id) {
        var byId = new LinkedHashMap<String, Part>();
        ChainEnding ending = new ChainEnding.Nothing();
        boolean stems = true;
        String before = "";
        for (String phase : phases) {
            byId.put(
                    "phase " + phase,
                    Part.phase(phase, before.isEmpty() ? Set.of() : Set.of(before), Set.of()));
            before = phase;
        }
        for (String parent : parents.getOrDefault(id, List.of())) {
            if (builtIn.contains(parent)) {
                ending = ending.or(new ChainEnding.BuiltIn(!parent.equals("native")));
            }
            if (chains.containsKey(parent)) {
                Parts inherited = parts(parent);
                inherited.byId.forEach(byId::putIfAbsent);
                ending = ending.or(inherited.ending);
                stems &= inherited.stems;
            }
        }
        XmlElement chain = chains.get(id);
        if (chain == null) {
            return new Parts(byId, ending, stems);
        }
        ending =
                SearchSources.cluster(chain)
                        .<ChainEnding>map(ChainEnding.LocalCluster::new)
                        .orElse(ending);
        for (String excluded : excluded(chain)) {
            byId.remove(excluded);
            String simple = simple(excluded);
            stems &= !simple.equals(STEMMING);
            if (simple.equals(BLENDING) && ending instanceof ChainEnding.BuiltIn) {
                ending = new ChainEnding.BuiltIn(false);
            }
        }
        for (String name : ChainReader.words(chain, component + "s")) {
            add(byId, name, id, List.of());
        }
        for (XmlElement element : chain.children()) {
            Optional<String> name = element.attribute("idref").or(() -> element.attribute("id"));
            if (name.isEmpty()) {
                continue;
            }
            if (element.name().equals(component) || element.name().equals(ChainReader.FEDERATION)) {
                add(byId, name.get(), id, List.of(element));
            } else if (element.name().equals("phase")) {
                byId.merge(
                        "phase " + name.get(),
                        Part.phase(
                                name.get(),
                                ChainReader.all(element, "after"),
                                ChainReader.all(element, "before")),
                        ChainOrder::both);
            }
        }
        return new Parts(byId, ending, stems);
    }

    /** Returns the name of a class without its package. */
    static String simple(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    /** Returns the parts that a chain does not inherit. */
    static Set<String> excluded(XmlElement chain) {
        var excluded = new LinkedHashSet<>(ChainReader.words(chain, "excludes"));
        for (XmlElement inherits : chain.children("inherits")) {
            for (XmlElement exclude : inherits.children("exclude")) {
                exclude.attribute("id")
                        .or(() -> exclude.attribute("idref"))
                        .or(() -> exclude.attribute("ident"))
                        .ifPresent(excluded::add);
            }
        }
        return excluded;
    }

    /** Adds a component, with its declaration for all chains and its declaration in this chain. */
    private void add(Map<String, Part> byId, String id, String chain, List<XmlElement> said) {
        var declared = new ArrayList<>(said);
        Optional<XmlElement> common = Optional.ofNullable(shared.get(id));
        common.ifPresent(declared::add);
        var part =
                new Part(
                        common.isPresent() ? id : id + "@" + chain,
                        new LinkedHashSet<>(List.of(id)),
                        new LinkedHashSet<>(),
                        new LinkedHashSet<>(),
                        declared.stream()
                                .anyMatch(each -> each.name().equals(ChainReader.FEDERATION)));
        if (part.isFederation) {
            part.names.addAll(FEDERATION_NAMES);
        }
        for (XmlElement element : declared) {
            String name = element.attribute("class").orElse(id);
            part.names.add(name);
            part.names.add(simple(name));
            part.names.addAll(ChainReader.all(element, "provides"));
            part.after.addAll(ChainReader.all(element, "after"));
            part.before.addAll(ChainReader.all(element, "before"));
        }
        byId.put(id, part);
    }

    private static Part both(Part first, Part second) {
        var after = new LinkedHashSet<>(first.after);
        after.addAll(second.after);
        var before = new LinkedHashSet<>(first.before);
        before.addAll(second.before);
        return new Part(first.key, first.names, after, before, first.isFederation);
    }

    private static Optional<List<String>> order(String id, XmlElement chain, List<Part> parts) {
        if (parts.size() > PARTS_MAX) {
            chain.file()
                    .problem(
                            chain,
                            "chain '%s' has %,d parts with those that it inherits; at most %,d are allowed"
                                    .formatted(id, parts.size(), PARTS_MAX));
            return Optional.empty();
        }
        int count = parts.size();
        var followers = new ArrayList<BitSet>();
        int[] before = new int[count];
        for (int i = 0; i < count; i++) {
            var of = new BitSet(count);
            for (int j = 0; j < count; j++) {
                if (i != j && parts.get(i).precedes(parts.get(j))) {
                    of.set(j);
                    before[j]++;
                }
            }
            followers.add(of);
        }
        var keys = new ArrayList<String>();
        var left = new BitSet(count);
        left.set(0, count);
        while (!left.isEmpty()) {
            OptionalInt next =
                    left.stream()
                            .filter(i -> before[i] == 0 && !parts.get(i).isFederation)
                            .findFirst();
            if (next.isEmpty()) {
                next = left.stream().filter(i -> before[i] == 0).findFirst();
            }
            if (next.isEmpty()) {
                tell(id, chain, parts, left, followers);
                return Optional.empty();
            }
            int taken = next.getAsInt();
            left.clear(taken);
            followers.get(taken).stream().forEach(i -> before[i]--);
            if (!parts.get(taken).key.isEmpty()) {
                keys.add(parts.get(taken).key);
            }
        }
        return Optional.of(keys);
    }

    /** Reports the parts whose order is contradictory, without those that only come after them. */
    private static void tell(
            String id, XmlElement chain, List<Part> parts, BitSet left, List<BitSet> followers) {
        int size = left.cardinality() + 1;
        while (left.cardinality() < size) {
            size = left.cardinality();
            for (int i : left.stream().toArray()) {
                if (!followers.get(i).intersects(left)) {
                    left.clear(i);
                }
            }
        }
        List<String> names =
                left.stream().mapToObj(i -> parts.get(i).names.iterator().next()).toList();
        chain.file()
                .problem(
                        chain,
                        "chain '%s' cannot be put in order: each of %s has to come before another of them"
                                .formatted(id, String.join(", ", names)));
    }
}
