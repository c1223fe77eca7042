package org.crabro.content.rank;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.crabro.ranking.program.RankProgram;

/**
 * How the rows of one query are scored, statistics included. Immutable; threads share it, each with
 * a {@link Scorer} of its own.
 */
public final class Scoring {
    private final Program firstPhase;
    private final Optional<Program> again;
    private final OptionalDouble dropLimit;
    private final List<HitFeature> hitFeatures;
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

    /** Something that is returned with each hit: a number or a tensor. */
    record HitFeature(Part part, String name, Program program) {}

    /** Which part of a hit a feature is in. */
    enum Part {
        MATCH,
        SUMMARY,
        LISTED
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

    /** Returns what the best are scored by again. */
    Optional<Program> again() {
        return again;
    }

    /** Returns the score that rows must be above to match. */
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
