package org.crabro.container.search;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.component.Federation;

/**
 * The search chains of an application.
 *
 * @param byId all chains except built-in ones
 * @param builtIn the sources of built-in chains; empty if they are the content clusters
 */
public record OwnChains(Map<String, OwnChain> byId, Optional<Federation> builtIn) {
    /** Only built-in chains. */
    public static final OwnChains NONE = new OwnChains(Map.of(), Optional.empty());

    public OwnChains {
        byId = Collections.unmodifiableMap(new LinkedHashMap<>(byId));
    }

    /** Returns these chains, and those of {@code others} with other ids. */
    public OwnChains plus(OwnChains others) {
        var all = new LinkedHashMap<>(others.byId);
        all.putAll(byId);
        return new OwnChains(all, builtIn.or(others::builtIn));
    }
}
