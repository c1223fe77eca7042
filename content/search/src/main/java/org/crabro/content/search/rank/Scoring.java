package org.crabro.content.search.rank;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.crabro.ranking.program.RankProgram;

/**
 * The scoring of the rows of one query, including statistics. Immutable; threads share it, each
 * with a {@link Scorer} of its own.
 */
public final class Scoring {
    private final Program firstPhase;
    private final Optional<Program> again;
    private final OptionalDouble dropLimit;
    private final List<HitFeature> hitFeatures;
    private final Map<String, TextStatistics> statistics;

    /**
     * A program and the sources of its features.
     *
     * @param sources by slot
     */
    record Program(RankProgram program, List<FeatureSource> sources) {
        Program {
            sources = List.copyOf(sources);
        }
    }

    /** A number or tensor that is returned with each hit. */
    record HitFeature(Part part, String name, Program program) {}

    /** The part of a hit that contains a feature. */
    enum Part {
        MATCH,
        SUMMARY,
        LISTED,
        USED
    }

    Scoring(
            Program firstPhase,
            Optional<Program> again,
            OptionalDouble dropLimit,
            List<HitFeature> hitFeatures,
            Map<String, TextStatistics> statistics) {
        this.firstPhase = firstPhase;
        this.again = again;
        this.dropLimit = dropLimit;
        this.hitFeatures = List.copyOf(hitFeatures);
        this.statistics = Map.copyOf(statistics);
    }

    Program firstPhase() {
        return firstPhase;
    }

    /** Returns the program of the second phase, if there is one. */
    Optional<Program> again() {
        return again;
    }

    /** Returns the score that a row must exceed to match, if there is such a limit. */
    OptionalDouble dropLimit() {
        return dropLimit;
    }

    List<HitFeature> hitFeatures() {
        return hitFeatures;
    }

    /** Returns the statistics that were counted, for traces. */
    public String text() {
        return statistics.toString();
    }
}
