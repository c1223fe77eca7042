package org.crabro.config.services;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.XmlElement;
import org.crabro.config.component.ChainEnding;
import org.crabro.config.component.Federation;
import org.crabro.config.component.Federation.Participant;
import org.crabro.config.component.Federation.Source;
import org.crabro.config.component.OwnComponents.Chain;
import org.crabro.config.component.SearchChains;
import org.crabro.config.component.SourceOptions;

/**
 * The providers of a {@code search} section, their sources, and the federations that ask them. A
 * provider is a chain. A source of a provider is a chain that inherits it, and is called {@code
 * source@provider}. Every content cluster is a source, too.
 */
final class SearchSources {
    private static final String PROVIDER = "provider";
    private static final String SOURCE = "source";
    private static final String SOURCE_SET = "source-set";
    private static final String OPTIONS = "federationoptions";
    private static final String LOCAL = "local";

    private final Set<String> clusters;
    private final Findings findings;

    /** The section with the sources of providers as chains. */
    private final XmlElement section;

    /** The chains of sources, and the elements that contain their configs, the outermost first. */
    private final Map<String, List<XmlElement>> around = new LinkedHashMap<>();

    /** The declared sources by name, and the providers without sources. */
    private final Map<String, Map<String, Participant>> sources = new LinkedHashMap<>();

    /** The participants of sources besides the leaders, by source and provider. */
    private final Map<String, Map<String, Participant>> participants = new LinkedHashMap<>();

    /** The elements of sources by their name: leaders, and the first participants. */
    private final Map<String, XmlElement> leading = new LinkedHashMap<>();

    private final Map<String, XmlElement> participating = new LinkedHashMap<>();

    /** The content clusters that a provider searches. */
    private final Set<String> provided = new HashSet<>();

    /**
     * @param clusters the ids of the content clusters
     */
    SearchSources(XmlElement search, Set<String> clusters, Findings findings) {
        this.clusters = clusters;
        this.findings = findings;
        var chains = new ArrayList<XmlElement>();
        for (XmlElement child : search.children()) {
            if (child.name().equals(PROVIDER)) {
                chains.add(child);
                chains.addAll(provider(child));
            } else if (!child.name().equals(SOURCE)) {
                chains.add(child);
            }
        }
        this.section = search.with(search.attributes(), chains, search.text());
        checkLeaders(search);
    }

    /** Returns the content cluster that a provider searches. */
    static Optional<String> cluster(XmlElement chain) {
        return chain.name().equals(PROVIDER) && isLocal(chain)
                ? chain.attribute("cluster")
                : Optional.empty();
    }

    private static boolean isLocal(XmlElement provider) {
        return provider.attribute("type").equals(Optional.of(LOCAL));
    }

    /** Returns the section with the sources of providers as chains. */
    XmlElement section() {
        return section;
    }

    /** Returns the elements with configs of a chain, the outermost first. */
    List<XmlElement> around(XmlElement chain) {
        return around.getOrDefault(chain.attribute("id").orElse(""), List.of(chain));
    }

    /** Returns the chains of the sources of a provider. */
    private List<XmlElement> provider(XmlElement provider) {
        String id = provider.attribute("id").orElse("");
        checkType(provider, id);
        SourceOptions options = options(provider, SourceOptions.NONE);
        List<XmlElement> declared = provider.children(SOURCE);
        if (declared.isEmpty() && !id.isEmpty()) {
            add(provider, id, id, new Participant(id, options));
        }
        var chains = new ArrayList<XmlElement>();
        for (XmlElement source : declared) {
            Optional<String> leader = source.attribute("id").filter(each -> !each.isEmpty());
            Optional<String> name =
                    leader.or(() -> source.attribute("idref")).filter(each -> !each.isEmpty());
            if (name.isEmpty()) {
                source.file()
                        .problem(
                                source,
                                "source of provider '%s' needs an id or an idref".formatted(id));
                continue;
            }
            String chain = name.get() + "@" + id;
            Participant participant = new Participant(chain, options(source, options));
            if (leader.isPresent()) {
                add(source, name.get(), id, participant);
            } else {
                participants
                        .computeIfAbsent(name.get(), _ -> new LinkedHashMap<>())
                        .put(id, participant);
                participating.putIfAbsent(name.get(), source);
            }
            around.put(chain, List.of(provider, source));
            chains.add(asChain(source, chain, id));
        }
        return chains;
    }

    private void add(XmlElement element, String name, String provider, Participant leader) {
        XmlElement first = leading.putIfAbsent(name, element);
        if (first == null) {
            sources.put(name, new LinkedHashMap<>(Map.of(provider, leader)));
        } else if (element.name().equals(SOURCE)) {
            element.file()
                    .problem(
                            element,
                            "id",
                            "source '%s' is declared twice; the first is at %s; a further provider of the same source has idref"
                                    .formatted(name, element.file().seen(first)));
        }
    }

    private void checkLeaders(XmlElement search) {
        participants.forEach((name, others) -> {
            Map<String, Participant> source = sources.get(name);
            XmlElement element = participating.get(name);
            if (source != null) {
                others.forEach(source::putIfAbsent);
            } else if (element != null && !search.file().isCut(search)) {
                element.file()
                        .problem(
                                element,
                                "idref",
                                "there is no source '%s'%s: one provider has to declare it with id"
                                        .formatted(name, NearestName.hint(name, sources.keySet())));
            }
        });
    }

    private static XmlElement asChain(XmlElement source, String id, String provider) {
        var attributes = new LinkedHashMap<>(source.attributes());
        attributes.remove("idref");
        attributes.put("id", id);
        attributes.merge("inherits", provider, (own, around) -> around + " " + own);
        return source.with(attributes, source.children(), source.text());
    }

    private void checkType(XmlElement provider, String id) {
        Optional<String> cluster = provider.attribute("cluster");
        if (!isLocal(provider)) {
            if (cluster.isPresent() && provider.attribute("type").isEmpty()) {
                findings.warn(
                        "%s: provider '%s' has a cluster and no type=\"local\": it does not search the cluster"
                                .formatted(provider.file().place(provider), id));
            }
            return;
        }
        if (cluster.isEmpty()) {
            provider.file()
                    .problem(
                            provider,
                            "provider '%s' of type local needs the attribute cluster, the id of a content cluster"
                                    .formatted(id));
        } else if (!clusters.contains(cluster.get())) {
            provider.file()
                    .problem(
                            provider,
                            "cluster",
                            "there is no content cluster '%s'%s%s"
                                    .formatted(
                                            cluster.get(),
                                            clusters.isEmpty()
                                                    ? ""
                                                    : ", only " + String.join(", ", clusters),
                                            NearestName.hint(cluster.get(), clusters)));
        } else {
            provided.add(cluster.get());
        }
    }

    private static SourceOptions options(XmlElement element, SourceOptions around) {
        SourceOptions options = around;
        for (XmlElement given : element.children(OPTIONS)) {
            options =
                    new SourceOptions(
                                    given.attribute("timeout").flatMap(TextForm::time),
                                    given.attribute("requestTimeout").flatMap(TextForm::time),
                                    given.attribute("optional").map("true"::equals),
                                    given.attribute("default").map("true"::equals))
                            .within(options);
        }
        return options;
    }

    /**
     * Returns all chains with their federations, and reports sources that do not exist.
     *
     * @param names the ids of all chains of the section
     * @param ordered those in order; empty if there are problems
     */
    SearchChains chains(Set<String> names, Map<String, Chain> ordered) {
        section.children().stream()
                .filter(chain ->
                        names.contains(chain.attribute("id").orElse(""))
                                && !section.file().isCut(section))
                .forEach(this::checkExcluded);
        boolean hasFederation =
                section.children().stream().anyMatch(SearchSources::hasFederation)
                        || !sources.isEmpty();
        var all = new LinkedHashMap<>(ordered);
        if (!hasFederation) {
            // No own parts: the same as the built-in chain.
            all.values().removeIf(Chain.BUILT_IN::equals);
            return new SearchChains(all, Map.of(), Optional.empty());
        }
        for (String cluster : clusters) {
            all.putIfAbsent(cluster, new Chain(List.of(), new ChainEnding.LocalCluster(cluster)));
        }
        var sourceNames = new LinkedHashSet<>(names);
        sourceNames.addAll(clusters);
        Map<String, Federation> federations = new LinkedHashMap<>();
        for (XmlElement federation : section.children(ChainReader.FEDERATION)) {
            String id = federation.attribute("id").orElse("");
            federations.put(id, federation(id, federation, sourceNames));
        }
        for (XmlElement chain : section.children()) {
            for (XmlElement federation : chain.children(ChainReader.FEDERATION)) {
                Optional<String> id = federation.attribute("id");
                if (id.isPresent() && !federations.containsKey(id.get())) {
                    federations.put(
                            id.get() + "@" + chain.attribute("id").orElse(""),
                            federation(id.get(), federation, sourceNames));
                }
            }
        }
        var chains =
                new SearchChains(
                        all,
                        federations,
                        sources.isEmpty()
                                ? Optional.empty()
                                : Optional.of(new Federation(ChainReader.FEDERATION, byDefault())));
        if (!findings.hasProblems()) {
            checkEnds(chains);
        }
        return chains;
    }

    /** Warns of excluded searchers that are built in, and so have no place in a chain. */
    private void checkExcluded(XmlElement chain) {
        Set<String> names = new HashSet<>(Set.of(ChainOrder.BLENDING, ChainOrder.STEMMING));
        Stream.concat(
                        section.children().stream(),
                        section.children().stream().flatMap(each -> each.children().stream()))
                .forEach(part -> part.attribute("id").ifPresent(names::add));
        for (String excluded : ChainOrder.excluded(chain)) {
            if (!names.contains(excluded) && !names.contains(ChainOrder.simple(excluded))) {
                findings.warn(
                        "%s: '%s' excludes %s, which is no part of a chain here: no effect"
                                .formatted(
                                        chain.file().place(chain),
                                        chain.attribute("id").orElse(""),
                                        excluded));
            }
        }
    }

    private static boolean hasFederation(XmlElement child) {
        return child.name().equals(ChainReader.FEDERATION)
                || !child.children(ChainReader.FEDERATION).isEmpty();
    }

    /** Returns the sources of the built-in chains. */
    private List<Source> byDefault() {
        var chosen = new ArrayList<Source>();
        sources.forEach((name, participating) -> chosen.add(new Source(name, participating)));
        for (String cluster : clusters) {
            if (!provided.contains(cluster) && !sources.containsKey(cluster)) {
                chosen.add(Source.of(cluster, SourceOptions.NONE));
            }
        }
        return chosen;
    }

    private Federation federation(String id, XmlElement federation, Set<String> chains) {
        Map<String, Source> byName = new LinkedHashMap<>();
        for (XmlElement reference : federation.children(SOURCE)) {
            Optional<String> name =
                    reference.attribute("idref").or(() -> reference.attribute("id"));
            if (name.isEmpty()) {
                reference.file().problem(reference, "source needs the attribute idref");
                continue;
            }
            Optional<Source> source = source(name.get(), chains);
            if (source.isEmpty()) {
                unknown(reference, name.get(), chains);
                continue;
            }
            Source before =
                    byName.put(
                            name.get(), with(source.get(), options(reference, SourceOptions.NONE)));
            if (before != null) {
                findings.warn(
                        "%s: federation '%s' has the source '%s' twice: the last one counts"
                                .formatted(reference.file().place(reference), id, name.get()));
            }
        }
        for (XmlElement set : federation.children(SOURCE_SET)) {
            String inherited = set.attribute("inherits").orElse("default");
            if (inherited.equals("default")) {
                byDefault().forEach(source -> byName.putIfAbsent(source.name(), source));
            } else {
                set.file()
                        .problem(
                                set,
                                "inherits",
                                "there is no source set '%s', only default".formatted(inherited));
            }
        }
        if (federation.children(SOURCE).isEmpty() && federation.children(SOURCE_SET).isEmpty()) {
            findings.warn(
                    "%s: federation '%s' has no source: its queries find nothing"
                            .formatted(federation.file().place(federation), id));
        }
        return new Federation(id, List.copyOf(byName.values()));
    }

    private Optional<Source> source(String name, Set<String> chains) {
        Map<String, Participant> declared = sources.get(name);
        if (declared != null) {
            return Optional.of(new Source(name, declared));
        }
        return chains.contains(name)
                ? Optional.of(Source.of(name, SourceOptions.NONE))
                : Optional.empty();
    }

    private static Source with(Source source, SourceOptions options) {
        Map<String, Participant> all = new LinkedHashMap<>();
        source.participants()
                .forEach((provider, participant) ->
                        all.put(
                                provider,
                                new Participant(
                                        participant.chain(),
                                        options.within(participant.options()))));
        return new Source(source.name(), all);
    }

    private void unknown(XmlElement reference, String name, Set<String> chains) {
        if (section.file().isCut(section)) {
            return;
        }
        Set<String> names = new TreeSet<>(chains);
        names.addAll(sources.keySet());
        reference
                .file()
                .problem(
                        reference,
                        reference.attribute("idref").isPresent() ? "idref" : "id",
                        "there is no source, provider or chain '%s', only %s%s"
                                .formatted(
                                        name,
                                        String.join(", ", names),
                                        NearestName.hint(name, names)));
    }

    /** Reports a chain whose federation asks the chain itself, directly or not. */
    private void checkEnds(SearchChains chains) {
        for (XmlElement element : section.children()) {
            String id = element.attribute("id").orElse("");
            var path = new ArrayList<>(List.of(id));
            if (chains.byId().containsKey(id) && closes(id, id, chains, path, new HashSet<>())) {
                element.file()
                        .problem(
                                element,
                                "chain '%s' asks itself: %s"
                                        .formatted(id, String.join(" -> ", path)));
                return;
            }
        }
    }

    /**
     * @param path the chains so far, and then those to the end of the cycle
     * @param seen chains that do not lead to the end
     */
    private static boolean closes(
            String from, String to, SearchChains chains, List<String> path, Set<String> seen) {
        for (String next : asked(from, chains)) {
            path.add(next);
            if (next.equals(to) || (seen.add(next) && closes(next, to, chains, path, seen))) {
                return true;
            }
            path.removeLast();
        }
        return false;
    }

    /** Returns the chains that a chain asks. */
    private static List<String> asked(String id, SearchChains chains) {
        Chain chain = chains.byId().get(id);
        if (chain == null) {
            return List.of();
        }
        List<Federation> own =
                chain.keys().stream()
                        .flatMap(key -> Stream.ofNullable(chains.federations().get(key)))
                        .toList();
        List<Federation> all =
                own.isEmpty() && chain.ending() instanceof ChainEnding.BuiltIn
                        ? chains.builtIn().stream().toList()
                        : own;
        return all.stream()
                .flatMap(federation -> federation.sources().stream())
                .flatMap(source -> source.participants().values().stream())
                .map(Participant::chain)
                .distinct()
                .toList();
    }
}
