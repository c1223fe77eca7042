package org.crabro.content.search.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.crabro.protocol.search.PlanPhase;
import org.crabro.protocol.search.SearchRequest;

/**
 * The trace of a search: lines with the time since its start, empty at level 0. Also the times of
 * its phases, if the search is explained.
 *
 * <p>The search of a principal that is limited to some groups has neither a trace nor a plan: most
 * of their numbers are about blocks, which contain documents of other groups.
 */
final class Trace {
    /** The level from which on conditions count the rows that they keep. */
    static final int CONDITIONS = 2;

    /** The level from which on the time of each slice is measured. */
    static final int SLICES = 4;

    private static final double NANOS_PER_MILLI = 1e6;

    private final int level;
    private final boolean explains;
    private final LongSupplier nanoTime;
    private final long start;
    private final List<String> lines = new ArrayList<>();
    private final List<PlanPhase> phases = new ArrayList<>();
    private long phaseStart;

    Trace(SearchRequest request, LongSupplier nanoTime) {
        this.level = level(request);
        this.explains = hasPlan(request);
        this.nanoTime = nanoTime;
        this.start = nanoTime.getAsLong();
        this.phaseStart = start;
    }

    /** Returns the level of the trace of a request; 0 for a sender that is limited to groups. */
    private static int level(SearchRequest request) {
        return request.header().principal().hasEveryGroup() ? request.reply().traceLevel() : 0;
    }

    /** Returns whether the reply to a request contains a plan. */
    private static boolean hasPlan(SearchRequest request) {
        return request.reply().explains() && request.header().principal().hasEveryGroup();
    }

    /** Returns whether the conditions of a request count the rows that they keep. */
    static boolean countsRows(SearchRequest request) {
        return hasPlan(request) || level(request) >= CONDITIONS;
    }

    /** Returns whether the reply contains a plan. */
    boolean explains() {
        return explains;
    }

    /** Ends a phase, which began when the last one ended. Does nothing without a plan. */
    void endPhase(String name) {
        if (explains) {
            long now = nanoTime.getAsLong();
            phases.add(new PlanPhase(name, now - phaseStart));
            phaseStart = now;
        }
    }

    /** Returns the phases that have ended; empty without a plan. */
    List<PlanPhase> phases() {
        return phases;
    }

    /** Returns whether the trace contains the lines of a level. */
    boolean includes(int asked) {
        return level >= asked;
    }

    /** Adds a line. The supplier is called only if the trace level is at least 1. */
    void add(Supplier<String> line) {
        if (includes(1)) {
            lines.add("%s: %s".formatted(millis(nanoTime.getAsLong() - start), line.get()));
        }
    }

    /** Adds lines below the last one. */
    void addDetails(List<String> details) {
        for (String each : details) {
            lines.add("    " + each);
        }
    }

    /** Returns a time in milliseconds as text. */
    static String millis(long nanos) {
        return "%.3f ms".formatted(nanos / NANOS_PER_MILLI);
    }

    List<String> lines() {
        return lines;
    }
}
