package org.crabro.config.component;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The components of an application for a container cluster, with their chains and bindings.
 *
 * @param components in the order of services.xml, keys distinct
 * @param searchChains those that queries may name
 * @param documentChains by id, those that documents that are fed may go through
 * @param bindings the addresses of a handler, by its key
 * @param generators the ids of the components that generate values of fields
 * @param tools the addresses of the server's tools for language models
 */
public record OwnComponents(
        List<OwnComponent> components,
        SearchChains searchChains,
        Map<String, Chain> documentChains,
        Map<String, List<Binding>> bindings,
        Set<String> generators,
        List<Binding> tools) {
    /** No components. */
    public static final OwnComponents NONE =
            new OwnComponents(
                    List.of(), SearchChains.NONE, Map.of(), Map.of(), Set.of(), List.of());

    public OwnComponents {
        components = List.copyOf(components);
        generators = Set.copyOf(generators);
        tools = List.copyOf(tools);
        documentChains = Collections.unmodifiableMap(new LinkedHashMap<>(documentChains));
        bindings = Collections.unmodifiableMap(new LinkedHashMap<>(bindings));
    }

    /**
     * A chain of components.
     *
     * @param keys of components and federations, in the order in which they process a query or an
     *     operation
     * @param ending what follows them
     * @param stems whether words of queries are stemmed
     */
    public record Chain(List<String> keys, ChainEnding ending, boolean stems) {
        /** A chain that is the same as the built-in one. */
        public static final Chain BUILT_IN = new Chain(List.of(), new ChainEnding.BuiltIn(true));

        public Chain {
            keys = List.copyOf(keys);
        }

        /** A chain that stems words. */
        public Chain(List<String> keys, ChainEnding ending) {
            this(keys, ending, true);
        }
    }

    /**
     * An address.
     *
     * @param host in requests, with {@code *} for any text; empty for any host
     * @param port the only one, or 0 for any
     * @param pattern of paths, where {@code *} matches any text
     */
    public record Binding(Optional<String> host, int port, String pattern) {}
}
