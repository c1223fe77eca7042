package org.crabro.config.component;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.component.OwnComponents.Chain;

/**
 * The search chains of a container cluster.
 *
 * @param byId those that queries may name; providers and their sources are among them
 * @param federations by the key that chains contain
 * @param builtIn the sources of the chains {@code vespa} and {@code native}; empty if the package
 *     declares no provider, so that they are the content clusters
 */
public record SearchChains(
        Map<String, Chain> byId,
        Map<String, Federation> federations,
        Optional<Federation> builtIn) {
    /** Only the built-in chains. */
    public static final SearchChains NONE = new SearchChains(Map.of(), Map.of(), Optional.empty());

    public SearchChains {
        byId = Collections.unmodifiableMap(new LinkedHashMap<>(byId));
        federations = Collections.unmodifiableMap(new LinkedHashMap<>(federations));
    }

    /** Returns these chains and others. */
    public SearchChains plus(SearchChains others) {
        var chains = new LinkedHashMap<>(byId);
        chains.putAll(others.byId);
        var all = new LinkedHashMap<>(federations);
        all.putAll(others.federations);
        return new SearchChains(chains, all, others.builtIn.or(() -> builtIn));
    }
}
