package org.crabro.content.search.execution;

import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.content.storage.read.ReadPlan;
import org.crabro.content.storage.read.SliceReads;

/** Runs the passes of one search over its slices, each by a team of threads. */
final class SlicePasses {
    private final Executor pool;
    private final ReadAhead ahead;
    private final ReadableSlices readable;
    private final SearchDeadline deadline;
    private final CostMeter cost;
    private final Trace trace;

    /**
     * @param pool runs the threads that help
     * @param ahead reads blocks into memory before a thread scans them
     * @param readable leaves out slices that cannot be read
     */
    SlicePasses(
            Executor pool,
            ReadAhead ahead,
            ReadableSlices readable,
            SearchDeadline deadline,
            CostMeter cost,
            Trace trace) {
        this.pool = pool;
        this.ahead = ahead;
        this.readable = readable;
        this.deadline = deadline;
        this.cost = cost;
        this.trace = trace;
    }

    /**
     * Works on all slices, with as many threads as they are divided among.
     *
     * @param name of the pass, for the trace
     * @param newWorker called by each thread
     * @param isOver asked before each slice; ends the pass when it returns true
     * @param parts the parts of blocks that are read into memory first
     */
    <W extends SliceTeam.Worker> SliceTeam<W> run(
            String name,
            ScopeSlices slices,
            Supplier<W> newWorker,
            BooleanSupplier isOver,
            ReadPlan parts) {
        return run(name, slices, slices.threads(), newWorker, isOver, parts);
    }

    /** Works on all slices in the calling thread only. */
    <W extends SliceTeam.Worker> SliceTeam<W> runAlone(
            String name, ScopeSlices slices, W worker, BooleanSupplier isOver, ReadPlan parts) {
        return run(name, slices, 1, () -> worker, isOver, parts);
    }

    private <W extends SliceTeam.Worker> SliceTeam<W> run(
            String name,
            ScopeSlices slices,
            int threads,
            Supplier<W> newWorker,
            BooleanSupplier isOver,
            ReadPlan parts) {
        long start = deadline.nanoTime();
        try (SliceReads pass = ahead.begin(slices.list(), parts, deadline.deadline())) {
            var team =
                    new SliceTeam<W>(
                            slices.portions(),
                            newWorker,
                            isOver,
                            readable.during(slices.list(), pass));
            team.run(pool, threads - 1, deadline::nanoTime, cost::leaderNanos);
            cost.addHelperNanos(team.cpuNanos());
            trace.add(() ->
                    "%s took %s: %d slices, at most %d threads"
                            .formatted(
                                    name,
                                    Trace.millis(deadline.nanoTime() - start),
                                    slices.count(),
                                    threads));
            return team;
        }
    }
}
