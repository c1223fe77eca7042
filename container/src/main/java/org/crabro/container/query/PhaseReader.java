package org.crabro.container.query;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.crabro.config.schema.Phases;
import org.crabro.config.schema.RankProfile;
import org.crabro.protocol.search.RankLimits;
import org.crabro.protocol.search.SortKey;

/** Reads how many hits the second and the global phase rank, and their drop limits. */
final class PhaseReader {
    /** The container holds all hits of the global phase in memory, with their summaries. */
    private static final int MAX_GLOBAL_RERANK_COUNT = 10_000;

    private static final int MAX_RERANK_COUNT = 1_000_000;

    private final Parameters parameters;

    PhaseReader(Parameters parameters) {
        this.parameters = parameters;
    }

    /** Returns the limits of the request, or else those of the profile. */
    RankLimits limits(RankProfile profile) {
        Optional<Phases.Second> second = profile.phases().second();
        return new RankLimits(
                or(parameters.decimal(Parameter.DROP_LIMIT), profile.phases().dropLimit()),
                rerankCount(second),
                or(
                        parameters.decimal(Parameter.SECOND_DROP_LIMIT),
                        second.map(Phases.Second::dropLimit).orElse(OptionalDouble.empty())));
    }

    /** One node stores everything today, so its count is the count of all nodes. */
    private OptionalInt rerankCount(Optional<Phases.Second> second) {
        OptionalInt own =
                or(
                        parameters.count(Parameter.RERANK_COUNT),
                        parameters.count(Parameter.TOTAL_RERANK_COUNT));
        if (second.isEmpty()) {
            return OptionalInt.empty();
        }
        OptionalInt count =
                or(own, or(second.get().rerankCount(), second.get().totalRerankCount()));
        count.ifPresent(asked -> check(Parameter.RERANK_COUNT, asked, MAX_RERANK_COUNT));
        return count;
    }

    /**
     * Returns the global phase; empty if the profile has none, or it ranks no hits.
     *
     * @throws IllegalQueryException if hits are sorted by another key
     */
    Optional<Phases.Global> global(RankProfile profile, List<SortKey> sorting) {
        Optional<Phases.Global> global =
                profile.phases()
                        .global()
                        .map(phase ->
                                new Phases.Global(
                                        phase.expression(),
                                        parameters
                                                .count(Parameter.GLOBAL_RERANK_COUNT)
                                                .orElse(phase.rerankCount()),
                                        or(
                                                parameters.decimal(Parameter.GLOBAL_DROP_LIMIT),
                                                phase.dropLimit()),
                                        phase.normalizers(),
                                        phase.features()))
                        .filter(phase -> phase.rerankCount() > 0);
        global.ifPresent(phase ->
                check(Parameter.GLOBAL_RERANK_COUNT, phase.rerankCount(), MAX_GLOBAL_RERANK_COUNT));
        if (global.isPresent() && !sorting.isEmpty()) {
            throw new IllegalQueryException(
                    ErrorCode.ILLEGAL_QUERY,
                    "rank profile '%s' has a global-phase, which sorts by its own scores: remove the sorting, or set ranking.globalPhase.rerankCount=0"
                            .formatted(profile.name()));
        }
        return global;
    }

    private static void check(Parameter parameter, int count, int max) {
        if (count > max) {
            throw new IllegalQueryException(
                    ErrorCode.ILLEGAL_QUERY,
                    "%s is %d, max allowed: %d".formatted(parameter.shown(), count, max));
        }
    }

    private static OptionalDouble or(OptionalDouble first, OptionalDouble otherwise) {
        return first.isPresent() ? first : otherwise;
    }

    private static OptionalInt or(OptionalInt first, OptionalInt otherwise) {
        return first.isPresent() ? first : otherwise;
    }
}
