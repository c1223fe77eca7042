package org.crabro.config.component;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A part of a search chain that sends a query to several sources, and puts their results together.
 *
 * @param id in services.xml
 * @param sources names distinct
 */
public record Federation(String id, List<Source> sources) {
    public Federation {
        sources = List.copyOf(sources);
    }

    /**
     * A source: one search chain, or one of several that a query selects by their provider.
     *
     * @param name in the parameter {@code sources}
     * @param participants by provider, at least one; the first is asked unless a query selects
     *     another
     */
    public record Source(String name, Map<String, Participant> participants) {
        public Source {
            participants = Collections.unmodifiableMap(new LinkedHashMap<>(participants));
        }

        /** A source of one chain, which is its own provider. */
        public static Source of(String name, SourceOptions options) {
            return new Source(name, Map.of(name, new Participant(name, options)));
        }
    }

    /**
     * A search chain of a source.
     *
     * @param chain its id
     */
    public record Participant(String chain, SourceOptions options) {}
}
