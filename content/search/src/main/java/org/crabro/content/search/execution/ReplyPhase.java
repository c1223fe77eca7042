package org.crabro.content.search.execution;

import java.util.ArrayList;
import java.util.List;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.search.match.TopK;
import org.crabro.content.search.rank.Scoring;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.protocol.grouping.Group;
import org.crabro.protocol.search.Coverage;
import org.crabro.protocol.search.QueryCost;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchReport;
import org.jspecify.annotations.Nullable;

/** Makes the reply: turns the best rows and the rows of groups into hits, and reports the cost. */
final class ReplyPhase {
    /** The most unreadable places that a reply names; the log names all. */
    private static final int PROBLEMS_NAMED = 8;

    private final SearchAttempt attempt;
    private final SelectedNeighbors neighbors;
    private final @Nullable Scoring scoring;
    private final ReadAhead ahead;
    private final ReadContext reads;
    private final CostMeter cost;

    /**
     * @param scoring null if rows are not scored: then there are no hits
     * @param ahead reads blocks of hits into memory
     * @param reads receives the hits that cannot be read
     */
    ReplyPhase(
            SearchAttempt attempt,
            SelectedNeighbors neighbors,
            @Nullable Scoring scoring,
            ReadAhead ahead,
            ReadContext reads,
            CostMeter cost) {
        this.attempt = attempt;
        this.neighbors = neighbors;
        this.scoring = scoring;
        this.ahead = ahead;
        this.reads = reads;
        this.cost = cost;
    }

    /**
     * Returns the reply.
     *
     * @param uncounted the number of documents that the statistics of the scores leave out
     */
    SearchReply.Found reply(MatchedRows matches, RerankPass.Ranked ranked, long uncounted) {
        List<SearchHit> hits = hits(ranked.best());
        attempt.trace().endPhase("summaries");
        int unread = scoring == null ? 0 : ranked.best().size() - hits.size();
        List<Group<SearchHit>> groups = groups(matches.groups());
        if (!groups.isEmpty()) {
            attempt.trace().endPhase("groups");
        }
        var warnings = new ArrayList<>(attempt.plan().warnings());
        warnings.addAll(problems());
        long total = attempt.slices().rowCount();
        long cpuNanos = trace(matches.counts(), total);
        long matched = matches.counts().matched() - ranked.dropped();
        long limited = attempt.slices().limited();
        long searched = Math.min(matches.counts().documents() - unread, total - uncounted);
        var report =
                new SearchReport(
                        new Coverage(
                                Math.max(0, searched - limited),
                                total,
                                matches.isPartial()
                                        || ranked.isPartial()
                                        || attempt.slices().hasUndecided()
                                        || uncounted > 0,
                                limited > 0),
                        new QueryCost(
                                matches.counts().blocks(),
                                matches.counts().skippedBlocks(),
                                matches.counts().documents(),
                                cost.reads().bytes(),
                                reads.deviceBytes() + attempt.plan().parents().deviceBytes(),
                                cpuNanos),
                        warnings,
                        attempt.trace().lines());
        return new SearchReply.Found(
                hits,
                matched,
                groups,
                matches.outcomes() == null
                        ? report
                        : report.with(
                                NodePlans.of(
                                        attempt,
                                        matches.outcomes(),
                                        cost.reads(),
                                        matched,
                                        report)));
    }

    private List<SearchHit> hits(TopK best) {
        if (scoring == null) {
            return List.of();
        }
        BlockScan scan = newScan();
        List<SearchHit> hits = hitReader(scan, attempt.plan().summary()).read(best, scoring);
        attempt.scans().giveBack(scan);
        return hits;
    }

    private BlockScan newScan() {
        return attempt.scans().take(neighbors.rows(), attempt.deadline().isOverdue());
    }

    private HitReader hitReader(BlockScan scan, SummaryFields shown) {
        return new HitReader(attempt, shown, scan, ahead, reads);
    }

    /**
     * Returns the merged groups of all threads.
     *
     * @param grouped by thread; the first receives the others
     */
    private List<Group<SearchHit>> groups(List<GroupedRows> grouped) {
        if (grouped.isEmpty()) {
            return List.of();
        }
        ScopeSlices slices = attempt.slices();
        SearchDeadline deadline = attempt.deadline();
        GroupedRows all = grouped.getFirst();
        grouped.subList(1, grouped.size()).forEach(all::merge);
        if (all.hasBest()) {
            attempt.passes()
                    .runAlone(
                            "reading the best for groups",
                            slices,
                            all.bestWorker(),
                            deadline.isOver(),
                            all.bestReads(slices.read()));
        }
        var reader =
                new GroupReader(
                        name -> hitReader(newScan(), attempt.plan().summary(name)),
                        attempt.plan()
                                .sorting()
                                .order(
                                        slices.list(),
                                        attempt.scans().newMeter(deadline.isOverdue())));
        return reader.read(all.groups(), scoring);
    }

    /** Returns messages for the client about places that could not be read. */
    private List<String> problems() {
        List<ReadContext.SetAside> all = reads.setAside();
        var texts = new ArrayList<String>();
        for (ReadContext.SetAside each : all.subList(0, Math.min(PROBLEMS_NAMED, all.size()))) {
            boolean isCounted = attempt.plan().request().header().principal().hasEveryGroup();
            texts.add(
                    isCounted
                            ? "Left out %d documents: %s"
                                    .formatted(each.rows(), each.reason().getMessage())
                            : "Left out documents: " + each.reason().getMessage());
        }
        if (all.size() > PROBLEMS_NAMED) {
            texts.add("%d more places could not be read.".formatted(all.size() - PROBLEMS_NAMED));
        }
        return texts;
    }

    /**
     * Adds the cost of the search to the trace.
     *
     * @param total the number of documents in scope
     * @return the processor time of all threads in nanoseconds; 0 without a trace or a plan
     */
    private long trace(MatchedRows.Counts counts, long total) {
        Trace trace = attempt.trace();
        attempt.plan().summary().notes().forEach(note -> trace.add(() -> note));
        trace.add(() ->
                ("looked at %d of %d documents in %d blocks and passed over %d, %d bytes of"
                                + " columns: %d match")
                        .formatted(
                                counts.documents(),
                                total,
                                counts.blocks(),
                                counts.skippedBlocks(),
                                cost.reads().bytes(),
                                counts.matched()));
        int tokenized = attempt.scans().tokenizedBlocks();
        if (tokenized > 0) {
            trace.add(() -> "tokenized %d blocks, which keep no tokens".formatted(tokenized));
        }
        trace.add(() ->
                "looked at the clock %d times inside rows, after at most %d units of work"
                        .formatted(cost.clockReads(), cost.largestGap()));
        long cpuNanos = trace.includes(1) || trace.explains() ? cost.cpuNanos() : 0;
        long deviceBytes = reads.deviceBytes() + attempt.plan().parents().deviceBytes();
        trace.add(() -> "%d bytes came from the device".formatted(deviceBytes));
        trace.add(() ->
                "at most %d threads took %s of processor time"
                        .formatted(attempt.slices().threads(), Trace.millis(cpuNanos)));
        return cpuNanos;
    }
}
