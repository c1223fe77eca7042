package org.crabro.content.result;

import java.util.List;
import java.util.Optional;
import org.crabro.content.file.CorruptRunException;
import org.crabro.content.file.ReadContext;
import org.crabro.content.group.GroupBudget;
import org.crabro.content.match.IndexedSearch;
import org.crabro.content.query.QueryRejectedException;
import org.crabro.content.query.ScanStoppedException;
import org.crabro.content.rank.Ranking;
import org.crabro.content.rank.Scoring;
import org.crabro.content.read.View;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.ranking.onnx.ModelRuns;

/**
 * One search, from its request to its reply, led by one thread. Its phases are, in this order:
 *
 * <ol>
 *   <li>{@link SearchPlan} compiles the request.
 *   <li>{@link ScopeSlices} finds the blocks in scope and divides them among threads; {@link
 *       ScopeSelection} removes the documents that a selection excludes.
 *   <li>{@link StatisticsPass} counts words, if the rank profile needs their statistics.
 *   <li>{@link NeighborPass} selects nearest neighbors, if the query asks for them.
 *   <li>{@link MatchPass} matches, scores and groups rows, and keeps the best.
 *   <li>{@link RerankPass} scores the best rows again, if the profile has a second phase.
 *   <li>{@link ReplyPhase} turns rows into hits.
 * </ol>
 *
 * <p>If a block turns out to be damaged after some of its rows were kept, all phases from the
 * selection on run again without that block.
 */
final class SearchExecution {
    private final SearchRequest request;
    private final SearchResources resources;
    private final ModelRuns models;
    private final ScanScheduler.Turn turn;
    private final int share;
    private final Trace trace;
    private final SearchDeadline deadline;
    private final CostMeter cost = new CostMeter();
    private final SearchPlan plan;
    private final ReadContext reads;
    private final GroupBudget groupBudget;

    /**
     * Compiles the request.
     *
     * @param turn lets other searches run first between slices
     * @param share the most threads that may work for the search
     * @throws QueryRejectedException if the schema cannot answer the request
     * @throws ScanStoppedException if time is up before all constants are computed
     */
    SearchExecution(
            SearchRequest request,
            SearchedType type,
            SearchResources resources,
            ScanScheduler.Turn turn,
            int share) {
        this.request = request;
        this.resources = resources;
        this.models = type.models();
        this.turn = turn;
        this.share = share;
        this.trace = new Trace(request.reply(), resources.clock().nanoTime());
        this.deadline = new SearchDeadline(request.header().deadline(), resources.clock());
        this.plan =
                new SearchPlan(
                        request,
                        type,
                        resources.caches().programs(),
                        cost.newMeter(deadline.isOver()));
        trace.add(() -> "match " + plan.matcher().text());
        this.reads = new ReadContext(plan.readOfAllBlocks());
        this.groupBudget = new GroupBudget(request.grouping().maxBytes(), resources.groupMemory());
    }

    /**
     * @param views one per partition
     */
    SearchReply run(List<View> views) {
        // To read the processor time takes about as long as to scan a small block.
        if (share > 1 || trace.tells(1) || trace.explains()) {
            cost.startLeader();
        }
        IndexedSearch indexes = plan.newIndexedSearch(cost.newMeter(deadline.isOver()));
        ScopeSlices slices =
                ScopeSlices.locate(plan, views, indexes, reads, share, resources.countsMax());
        if (indexes.isUsed()) {
            trace.add(indexes::text);
        }
        trace.endPhase("plan");
        var readable = new ReadableSlices(slices.list(), reads, turn);
        var passes =
                new SlicePasses(
                        resources.pool(), resources.ahead(), readable, deadline, cost, trace);
        try (groupBudget) {
            while (true) {
                try {
                    Optional<ScopeSlices> selected = select(slices, passes);
                    slices = selected.orElse(slices);
                    SearchReply reply =
                            selected.isEmpty()
                                    ? new SearchReply.TimedOut()
                                    : attempt(slices, passes);
                    if (!readable.isTriedAgain()) {
                        return reply;
                    }
                } catch (CorruptRunException | InternalError e) {
                    // The platform reports a read error of a mapped file as an InternalError.
                    if (!readable.isTriedAgain(e)) {
                        throw e;
                    }
                } catch (ScanStoppedException e) {
                    // A thread that met damage while it sorted rows stops as if time was up.
                    if (!readable.isTriedAgain()) {
                        // The rows that were found could not be returned in time.
                        return new SearchReply.TimedOut();
                    }
                }
                trace.add(() -> "begins again without what could not be read");
            }
        }
    }

    /** Returns the slices without excluded documents; empty if time was too short. */
    private Optional<ScopeSlices> select(ScopeSlices slices, SlicePasses passes) {
        if (plan.selection().isEmpty()) {
            return Optional.of(slices);
        }
        Optional<ScopeSlices> selected =
                plan.selection()
                        .get()
                        .narrow(slices, passes, deadline, cost, request.reply().softTimeout());
        trace.endPhase("selection");
        return selected;
    }

    private SearchReply attempt(ScopeSlices slices, SlicePasses passes) {
        var scans = new SearchScans(plan, slices, resources.caches(), turn, cost);
        SearchReply reply = answer(new SearchAttempt(plan, slices, scans, passes, deadline, trace));
        scans.end();
        return reply;
    }

    private SearchReply answer(SearchAttempt attempt) {
        Scoring scoring = null;
        long uncounted = 0;
        Ranking ranking = plan.ranking().orElse(null);
        if (ranking != null) {
            Optional<StatisticsPass.Counted> counted = new StatisticsPass(attempt, ranking).run();
            if (counted.isEmpty()) {
                // Scores are wrong without statistics, so no hits are returned.
                return new SearchReply.TimedOut();
            }
            scoring = counted.get().scoring();
            uncounted = counted.get().uncounted();
        }
        SelectedNeighbors neighbors = new NeighborPass(attempt).run();
        MatchedRows found = new MatchPass(attempt, neighbors, scoring, groupBudget).run();
        if (models.count() > 0) {
            trace.add(() -> "models ran for %d documents".formatted(models.count()));
        }
        if (found.isPartial()
                && (!request.reply().softTimeout() || found.counts().documents() == 0)) {
            return new SearchReply.TimedOut();
        }
        RerankPass.Ranked ranked = new RerankPass(attempt, neighbors, scoring).run(found);
        return new ReplyPhase(attempt, neighbors, scoring, resources.ahead(), reads, cost)
                .reply(found, ranked, uncounted);
    }

    /** Returns the reads of the search, with the places that could not be read. */
    ReadContext reads() {
        return reads;
    }
}
