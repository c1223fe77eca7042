package org.crabro.content.rank;

import java.util.List;
import java.util.Map;
import org.crabro.ranking.program.RankProgram;

/**
 * How the rows of one query are scored, statistics included. Immutable; threads share it, each with
 * a {@link Scorer} of its own.
 */
public final class Scoring {
    private final Program firstPhase;
    private final List<MatchFeature> matchFeatures;
    private final Map<String, TextStatistics> statistics;

    /**
     * A program and where its features come from.
     *
     * @param sources by slot
     */
    record Program(RankProgram program, List<FeatureSource> sources) {
        Program {
            sources = List.copyOf(sources);
        }
    }

    /** Something that is returned with each hit. */
    sealed interface MatchFeature {
        String name();

        /** A number. */
        record OfNumber(String name, Program program) implements MatchFeature {}

        /** A tensor. */
        record OfTensor(String name, TensorSource source) implements MatchFeature {}
    }

    Scoring(
            Program firstPhase,
            List<MatchFeature> matchFeatures,
            Map<String, TextStatistics> statistics) {
        this.firstPhase = firstPhase;
        this.matchFeatures = List.copyOf(matchFeatures);
        this.statistics = Map.copyOf(statistics);
    }

    Program firstPhase() {
        return firstPhase;
    }

    List<MatchFeature> matchFeatures() {
        return matchFeatures;
    }

    /** Returns the statistics that were counted, for traces. */
    public String text() {
        return statistics.toString();
    }
}
