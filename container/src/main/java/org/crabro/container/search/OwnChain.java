package org.crabro.container.search;

import java.util.List;
import java.util.stream.Stream;
import org.crabro.component.Searcher;
import org.crabro.config.component.ChainEnding;
import org.crabro.config.component.Federation;

/**
 * A search chain of the application.
 *
 * @param steps in the order in which they see a query
 * @param ending what follows the steps
 * @param stems whether words of queries are stemmed
 */
public record OwnChain(String id, List<Step> steps, ChainEnding ending, boolean stems) {
    public OwnChain {
        steps = List.copyOf(steps);
    }

    /** A part of a chain. */
    public sealed interface Step {
        /** Returns the id in services.xml. */
        String id();
    }

    /** A searcher of the application. */
    public record SearcherStep(String id, Searcher searcher) implements Step {}

    /** A federation, which asks other chains. */
    public record FederationStep(Federation federation) implements Step {
        @Override
        public String id() {
            return federation.id();
        }
    }

    /** Returns a chain without steps that searches a content cluster. */
    static OwnChain ofCluster(String cluster) {
        return new OwnChain(cluster, List.of(), new ChainEnding.LocalCluster(cluster), true);
    }

    /** Returns whether the hits of several sources are one list. */
    boolean blends() {
        return ending.equals(new ChainEnding.BuiltIn(true));
    }

    /** Returns whether a federation is a step of the chain. */
    boolean hasFederation() {
        return steps.stream().anyMatch(FederationStep.class::isInstance);
    }

    /** Returns the steps of the chain for the trace. */
    String shown() {
        Stream<String> end =
                switch (ending) {
                    case ChainEnding.Nothing() -> Stream.of();
                    case ChainEnding.BuiltIn(boolean blends) ->
                            Stream.of(blends ? "vespa" : "native");
                    case ChainEnding.LocalCluster(var cluster) -> Stream.of("cluster " + cluster);
                };
        return String.join(", ", Stream.concat(steps.stream().map(Step::id), end).toList());
    }
}
