package org.crabro.config.component;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The components that a package brings for a container cluster, and where they stand.
 *
 * @param components in the order of services.xml, keys distinct
 * @param searchChains by id, those that queries may name
 * @param documentChains by id, those that documents that are fed may go through
 * @param bindings by the key of a handler, where it answers
 */
public record OwnComponents(
        List<OwnComponent> components,
        Map<String, Chain> searchChains,
        Map<String, Chain> documentChains,
        Map<String, List<Binding>> bindings) {
    /** Nothing. */
    public static final OwnComponents NONE =
            new OwnComponents(List.of(), Map.of(), Map.of(), Map.of());

    public OwnComponents {
        components = List.copyOf(components);
        searchChains = Collections.unmodifiableMap(new LinkedHashMap<>(searchChains));
        documentChains = Collections.unmodifiableMap(new LinkedHashMap<>(documentChains));
        bindings = Collections.unmodifiableMap(new LinkedHashMap<>(bindings));
    }

    /**
     * Components one after another.
     *
     * @param keys in the order in which they see a query or an operation
     * @param goesOn whether what is built in comes behind them: it inherits {@code vespa}, {@code
     *     native} or {@code indexing}
     */
    public record Chain(List<String> keys, boolean goesOn) {
        public Chain {
            keys = List.copyOf(keys);
        }
    }

    /**
     * An address.
     *
     * @param host what requests call the server, with {@code *} for any text; nothing for anything
     * @param port the only one, or 0 for every
     * @param pattern of paths, where {@code *} stands for any text
     */
    public record Binding(Optional<String> host, int port, String pattern) {}
}
