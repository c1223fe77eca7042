package org.crabro.content.search.execution;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.search.rank.Ranking;
import org.crabro.content.search.rank.Scoring;
import org.crabro.content.search.rank.TextCounts;
import org.crabro.content.storage.read.ReadPlan;

/**
 * Counts the words of a query in all documents in scope, if the rank profile computes features such
 * as bm25 from them.
 *
 * <p>With a soft timeout the pass takes half of the time left. Scores then come from the statistics
 * of the documents counted until then.
 */
final class StatisticsPass {
    private final SearchAttempt attempt;
    private final Ranking ranking;
    private final PlannedIndexUse indexes;

    /**
     * @param indexes have counted the words of some sections
     */
    StatisticsPass(SearchAttempt attempt, Ranking ranking, PlannedIndexUse indexes) {
        this.attempt = attempt;
        this.ranking = ranking;
        this.indexes = indexes;
    }

    /**
     * How rows are scored.
     *
     * @param uncounted the number of documents that the statistics leave out
     */
    record Counted(Scoring scoring, long uncounted) {}

    /** Counts words in one thread. */
    private record CountingWorker(BlockScan scan, TextCounts counts) implements SliceTeam.Worker {
        @Override
        public void work(int slice) {
            scan.open(slice);
            if (!scan.slice().isCounted()) {
                counts.add(scan);
                scan.keepTexts();
            }
        }
    }

    /** Returns how rows are scored; empty if time was too short for any statistics. */
    Optional<Counted> run() {
        TextCounts counts = ranking.newCounts();
        if (!ranking.needsCounts()) {
            return Optional.of(new Counted(ranking.scoring(counts), 0));
        }
        boolean isComplete = count(counts);
        long uncounted = attempt.slices().uncounted() - counts.documents();
        indexes.addCounts(counts);
        Scoring scoring = ranking.scoring(counts);
        attempt.trace().endPhase("statistics");
        attempt.trace().add(() -> "counted words: " + scoring.text());
        if (isComplete) {
            return Optional.of(new Counted(scoring, 0));
        }
        attempt.trace().add(() -> "no time to count those of %d documents".formatted(uncounted));
        return attempt.plan().request().reply().softTimeout() && counts.documents() > 0
                ? Optional.of(new Counted(scoring, uncounted))
                : Optional.empty();
    }

    /** Returns whether all documents were counted. */
    private boolean count(TextCounts total) {
        if (attempt.slices().uncounted() == 0) {
            return true;
        }
        SearchDeadline deadline = attempt.deadline();
        SearchScans scans = attempt.scans();
        long left = deadline.nanosLeft();
        BooleanSupplier isOver =
                deadline.isOver(attempt.plan().request().reply().softTimeout() ? left / 2 : left);
        SliceTeam<CountingWorker> team =
                attempt.passes()
                        .run(
                                "counting words",
                                attempt.slices(),
                                () ->
                                        new CountingWorker(
                                                scans.takeStepping(List.of(), isOver),
                                                ranking.newCounts()),
                                isOver,
                                ReadPlan.of(attempt.plan().deciding()));
        for (CountingWorker worker : team.workers()) {
            total.add(worker.counts());
            scans.finish(worker.scan());
        }
        return !team.isStopped();
    }
}
