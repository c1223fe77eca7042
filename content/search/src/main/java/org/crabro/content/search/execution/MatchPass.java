package org.crabro.content.search.execution;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.crabro.content.search.group.GroupBudget;
import org.crabro.content.search.group.Grouping;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.search.match.TopK;
import org.crabro.content.search.rank.Scorer;
import org.crabro.content.search.rank.Scoring;
import org.crabro.content.storage.file.BlockProjection;
import org.crabro.content.storage.file.ScanStoppedException;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.read.ReadPlan;
import org.crabro.protocol.search.SearchRequest;
import org.jspecify.annotations.Nullable;

/** Finds the rows that match, scores and groups them, and keeps the best of each thread. */
final class MatchPass {
    private final SearchAttempt attempt;
    private final SearchPlan plan;
    private final ScopeSlices slices;
    private final SearchScans scans;
    private final SearchDeadline deadline;
    private final SelectedNeighbors neighbors;
    private final @Nullable Scoring scoring;
    private final GroupBudget groupBudget;

    /** The hit after which the requested hits begin; null if they begin with the best. */
    private final @Nullable SearchAfter passed;

    /** Null unless the trace level asks for them. */
    private final @Nullable SliceTimes times;

    /** Null unless the search is explained. */
    private final @Nullable SliceOutcomes outcomes;

    /**
     * @param scoring null if rows are not scored
     * @param groupBudget limits the memory of groups; the pass resets it
     */
    MatchPass(
            SearchAttempt attempt,
            SelectedNeighbors neighbors,
            @Nullable Scoring scoring,
            GroupBudget groupBudget) {
        this.attempt = attempt;
        this.plan = attempt.plan();
        this.slices = attempt.slices();
        this.scans = attempt.scans();
        this.deadline = attempt.deadline();
        this.neighbors = neighbors;
        this.scoring = scoring;
        this.groupBudget = groupBudget;
        this.passed = SearchAfter.of(plan.request(), plan.sorting(), slices.list()).orElse(null);
        this.times = attempt.trace().includes(Trace.SLICES) ? new SliceTimes(slices.count()) : null;
        this.outcomes = attempt.trace().explains() ? new SliceOutcomes(slices.count()) : null;
    }

    /** Matches and scores rows in one thread, and keeps the best. */
    private final class MatchWorker implements SliceTeam.Worker {
        private final BlockScan scan;
        private final @Nullable Scorer scorer;
        private final @Nullable TopK best;
        private final @Nullable GroupedRows groups;
        private final SearchAfter.@Nullable Test passedTest;
        private long matched;
        private long documents;
        private long blocks;
        private long skippedBlocks;

        /** Set while groups change: if the thread is stopped then, they are unusable. */
        private boolean isGrouping;

        /**
         * Set while rows are put in order: if the thread is stopped then, the order is unusable.
         */
        private boolean isOrdering;

        MatchWorker(BlockScan scan) {
            SearchRequest request = plan.request();
            this.scan = scan;
            this.scorer =
                    scoring == null || !plan.scoresWhileMatching()
                            ? null
                            : new Scorer(scoring, scan);
            this.best =
                    request.hits().count() == 0
                            ? null
                            : new TopK(
                                    plan.sorting()
                                            .order(
                                                    slices.list(),
                                                    scans.newMeter(deadline.isOverdue())),
                                    plan.topRows());
            this.groups = plan.grouping().map(grouping -> newGroups(grouping, scan)).orElse(null);
            this.passedTest = passed == null ? null : passed.test(plan.sorting(), scan.work());
        }

        @Override
        public void work(int slice) {
            long start = times == null ? 0 : System.nanoTime();
            search(slice);
            if (times != null) {
                times.set(slice, System.nanoTime() - start);
            }
        }

        private void search(int slice) {
            if (!neighbors.isSearched(slice)) {
                return;
            }
            scan.open(slice);
            // Counted last: a slice in which time ends does not count as scanned.
            boolean isSkipped = !match(slice);
            documents += scan.slice().liveCount();
            if (outcomes != null) {
                outcomes.set(slice, isSkipped);
            }
        }

        /** Returns whether rows of the slice were tested. */
        private boolean match(int slice) {
            if (groups != null) {
                isGrouping = true;
                groups.addEverything();
                isGrouping = false;
            }
            if (!scan.canMatch()) {
                skippedBlocks += slices.isBlockStart(slice) ? 1 : 0;
                return false;
            }
            blocks += slices.isBlockStart(slice) ? 1 : 0;
            int count = scan.match();
            if ((best == null && groups == null) || count == 0) {
                matched += count;
                return true;
            }
            int[] rows = scan.rows();
            double[] scores = scan.borrowNumbers();
            if (scan.slice().isScored()) {
                scan.slice().scores(rows, count, scores);
            } else if (scorer == null) {
                Arrays.fill(scores, 0, count, 0);
            } else {
                scorer.score(rows, count, scores);
                count = scorer.drop(rows, count, scores);
            }
            if (groups != null) {
                isGrouping = true;
                groups.add(rows, count, scores);
                isGrouping = false;
            }
            matched += count;
            isOrdering = true;
            for (int i = 0; best != null && i < count; i++) {
                if (passedTest == null || passedTest.isBehind(slice, rows[i], scores[i])) {
                    best.offer(slice, rows[i], scores[i]);
                }
            }
            isOrdering = false;
            scan.giveBack(scores);
            return true;
        }
    }

    private GroupedRows newGroups(Grouping grouping, BlockScan scan) {
        // A document cannot be removed from groups again: its grouping may end after the deadline.
        WorkMeter work = scans.newMeter(deadline.isOverdue());
        return new GroupedRows(
                plan.request().grouping(),
                scan,
                grouping.newScan(
                        scan, () -> plan.sorting().order(slices.list(), work), groupBudget, work),
                slices.list());
    }

    /**
     * Returns the rows that match.
     *
     * @throws ScanStoppedException if time ended while a thread changed its groups or its order
     */
    MatchedRows run() {
        groupBudget.close();
        String name = plan.ranking().isEmpty() ? "matching" : "matching and scoring";
        SliceTeam<MatchWorker> team;
        if (!neighbors.rows().isEmpty() && plan.matcher().isSelective()) {
            // The neighbors were selected in time. To match them takes almost no time, and all that
            // it reads is in memory.
            team = run(name, deadline.isOverdue(), ReadPlan.of(BlockProjection.NONE));
        } else if (slices.areScored()) {
            // Indexes have read the words.
            team = run(name, deadline.isOver(), ReadPlan.of(BlockProjection.NONE));
        } else {
            BooleanSupplier isOver = deadline.isOver();
            var reads = new MatchReads(attempt, neighbors, isOver);
            team = run(name, isOver, reads);
            reads.end();
        }
        attempt.trace().endPhase("match");
        if (times != null) {
            attempt.trace().addDetails(times.lines(slices.list()));
        }
        if (attempt.trace().includes(Trace.CONDITIONS)) {
            attempt.trace().add(() -> "conditions, in the order in which they were tried:");
            attempt.trace().addDetails(plan.matcher().counted());
        }
        return matched(team);
    }

    private SliceTeam<MatchWorker> run(String name, BooleanSupplier isOver, ReadPlan reads) {
        return attempt.passes()
                .run(
                        name,
                        slices,
                        () -> new MatchWorker(scans.takeStepping(neighbors.rows(), isOver)),
                        isOver,
                        reads);
    }

    private MatchedRows matched(SliceTeam<MatchWorker> team) {
        long matched = slices.matchingLeftOut();
        // An index has looked at the documents that are in no slice.
        long documents = slices.leftOut();
        long blocks = 0;
        long skippedBlocks = 0;
        var best = new ArrayList<TopK>();
        var groups = new ArrayList<GroupedRows>();
        for (MatchWorker worker : team.workers()) {
            if (worker.isGrouping || worker.isOrdering) {
                throw new ScanStoppedException();
            }
            matched += worker.matched;
            documents += worker.documents;
            blocks += worker.blocks;
            skippedBlocks += worker.skippedBlocks;
            if (worker.best != null) {
                best.add(worker.best);
            }
            if (worker.groups != null) {
                groups.add(worker.groups);
                scans.addReads(worker.scan);
            } else {
                scans.finish(worker.scan);
            }
        }
        return new MatchedRows(
                new MatchedRows.Counts(matched, documents, blocks, skippedBlocks),
                team.isStopped() || !neighbors.isComplete(),
                best,
                groups,
                outcomes);
    }
}
