package org.crabro.content.search.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.crabro.content.search.group.GroupBudget;
import org.crabro.content.search.match.IndexedSearch;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.content.search.rank.Ranking;
import org.crabro.content.search.rank.Scoring;
import org.crabro.content.search.rank.SectionScorer;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.file.ScanStoppedException;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.read.View;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.WordCount;
import org.crabro.ranking.onnx.ModelRuns;
import org.jspecify.annotations.Nullable;

/**
 * One search, from its request to its reply, led by one thread. Its phases are, in this order:
 *
 * <ol>
 *   <li>{@link SearchPlan} compiles the request.
 *   <li>{@link ScopeSlices} finds the blocks in scope and divides them among threads; {@link
 *       ScopeSelection} removes the documents that a selection excludes.
 *   <li>{@link WordsPass} counts words and finds words near them, if the request asks for nothing
 *       else. Then there are no other phases.
 *   <li>{@link StatisticsPass} counts words, if the rank profile needs their statistics.
 *   <li>{@link SectionScorer} scores rows by indexes, if these know all that scores depend on. Then
 *       only the rows that may be among the best have slices.
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

    /** Whether the time for this request is over: half of the time left if it counts words. */
    private final BooleanSupplier isOver;

    private final CostMeter cost = new CostMeter();
    private final SearchPlan plan;
    private ReadContext reads;
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
        this.trace = new Trace(request, resources.clock().nanoTime());
        this.deadline = new SearchDeadline(request.header().deadline(), resources.clock());
        this.isOver =
                request.reply().countsWords()
                        ? deadline.isOver(deadline.nanosLeft() / 2)
                        : deadline.isOver();
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
        if (share > 1 || trace.includes(1) || trace.explains()) {
            cost.startLeader();
        }
        try (groupBudget) {
            return run(views, true)
                    .orElseGet(() -> {
                        // The best rows are others if blocks are damaged.
                        trace.add(() -> "begins again without scores by indexes");
                        reads = new ReadContext(plan.readOfAllBlocks());
                        return run(views, false).orElseThrow();
                    });
        }
    }

    /**
     * Returns the reply; empty if a block is damaged, and scores by indexes have chosen the rows.
     *
     * @param scores whether they may
     */
    private Optional<SearchReply> run(List<View> views, boolean scores) {
        var use = new PlannedIndexUse(plan, scores);
        IndexedSearch indexes = plan.newIndexedSearch(use, cost.newMeter(isOver));
        ScopeSlices slices =
                ScopeSlices.locate(plan, views, indexes, reads, share, resources.countsMax());
        if (indexes.isUsed()) {
            trace.add(indexes::text);
        }
        trace.endPhase("plan");
        var readable = new ReadableSlices(slices.list(), reads, turn);
        SlicePasses passes = passes(readable);
        Indexed indexed =
                new Indexed(
                        use,
                        plan.ranking().isEmpty() ? List.of() : indexes.taken(),
                        indexes.words());
        boolean isChosen = !indexed.taken().isEmpty();
        while (true) {
            try {
                Optional<ScopeSlices> selected = select(slices, passes);
                slices = selected.orElse(slices);
                SearchReply reply =
                        selected.isEmpty()
                                ? new SearchReply.TimedOut()
                                : attempt(slices, passes, indexed);
                if (!readable.isTriedAgain() && !(isChosen && isDamaged())) {
                    return Optional.of(reply);
                }
            } catch (CorruptRunException | InternalError e) {
                // The platform reports a read error of a mapped file as an InternalError.
                if (!isChosen && !readable.isTriedAgain(e)) {
                    throw e;
                }
            } catch (ScanStoppedException e) {
                // A thread that met damage while it sorted rows stops as if time was up.
                if (!readable.isTriedAgain() && !(isChosen && isDamaged())) {
                    // The rows that were found could not be returned in time.
                    return Optional.of(new SearchReply.TimedOut());
                }
            }
            if (isChosen) {
                return Optional.empty();
            }
            trace.add(() -> "begins again without what could not be read");
        }
    }

    private SlicePasses passes(ReadableSlices readable) {
        return new SlicePasses(
                resources.pool(), resources.ahead(), readable, deadline, cost, trace);
    }

    private boolean isDamaged() {
        return !reads.setAside().isEmpty();
    }

    /**
     * What indexes know.
     *
     * @param taken sections whose rows are scored by their indexes
     * @param words counts of the words of a query, if the request asks for them
     */
    private record Indexed(
            PlannedIndexUse use, List<IndexedSearch.TakenSection> taken, List<WordCount> words) {}

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

    private SearchReply attempt(ScopeSlices slices, SlicePasses passes, Indexed indexed) {
        var scans = new SearchScans(plan, slices, resources.caches(), turn, cost);
        var attempt = new SearchAttempt(plan, slices, scans, passes, deadline, trace);
        if (request.reply().countsWords()) {
            SearchReply reply = new WordsPass(attempt, indexed.words(), isOver).run(reads, cost);
            scans.end();
            return reply;
        }
        Scoring scoring = null;
        long uncounted = 0;
        Ranking ranking = plan.ranking().orElse(null);
        if (ranking != null) {
            Optional<StatisticsPass.Counted> counted =
                    new StatisticsPass(attempt, ranking, indexed.use()).run();
            if (counted.isEmpty()) {
                // Scores are wrong without statistics, so no hits are returned.
                scans.end();
                return new SearchReply.TimedOut();
            }
            scoring = counted.get().scoring();
            uncounted = counted.get().uncounted();
        }
        if (scoring != null && !indexed.taken().isEmpty()) {
            scans.end();
            attempt = chosen(attempt, scoring, indexed);
        }
        SearchReply reply = answer(attempt, scoring, uncounted);
        attempt.scans().end();
        return reply;
    }

    /** Returns an attempt with the rows that may be among the best by the scores of indexes. */
    private SearchAttempt chosen(SearchAttempt of, Scoring scoring, Indexed indexed) {
        WorkMeter work = cost.newMeter(deadline.isOver());
        var scorer = new SectionScorer(scoring, work);
        var best = new BestScores(plan.topRows());
        var sections = new ArrayList<ScoredSection>();
        for (IndexedSearch.TakenSection each : indexed.taken()) {
            var section = new ScoredSection(each, best);
            section.score(scorer);
            sections.add(section);
        }
        sections.forEach(ScoredSection::drop);
        TiedRows.drop(sections, best.lastCount());
        ScopeSlices slices = of.slices().with(plan, sections, share, resources.countsMax());
        trace.add(() ->
                "indexes scored %d documents"
                        .formatted(sections.stream().mapToInt(ScoredSection::matching).sum()));
        trace.endPhase("scores by indexes");
        return new SearchAttempt(
                plan,
                slices,
                new SearchScans(plan, slices, resources.caches(), turn, cost),
                passes(new ReadableSlices(slices.list(), reads, turn)),
                deadline,
                trace);
    }

    private SearchReply answer(SearchAttempt attempt, @Nullable Scoring scoring, long uncounted) {
        SelectedNeighbors neighbors = new NeighborPass(attempt).run();
        MatchedRows matches = new MatchPass(attempt, neighbors, scoring, groupBudget).run();
        if (models.count() > 0) {
            trace.add(() -> "models ran for %d documents".formatted(models.count()));
        }
        if (matches.isPartial()
                && (!request.reply().softTimeout() || matches.counts().documents() == 0)) {
            return new SearchReply.TimedOut();
        }
        RerankPass.Ranked ranked = new RerankPass(attempt, neighbors, scoring).run(matches);
        return new ReplyPhase(attempt, neighbors, scoring, resources.ahead(), reads, cost)
                .reply(matches, ranked, uncounted);
    }

    /** Returns the reads of the search, with the places that could not be read. */
    ReadContext reads() {
        return reads;
    }
}
