package org.crabro.content.search.execution;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.crabro.content.search.match.ScanReads;
import org.crabro.content.storage.file.WorkMeter;

/**
 * Measures the cost of one search: units of work, bytes of columns, and processor time. Any thread
 * may add a work meter. All other methods are for the thread that leads the search.
 */
final class CostMeter {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** One per thread and pass. */
    private final Queue<WorkMeter> meters = new ConcurrentLinkedQueue<>();

    private final ScanReads reads = new ScanReads();
    private long leaderStart;
    private long helperNanos;

    /**
     * Returns a meter for the work of one thread.
     *
     * @param isOver ends the work when it returns true
     */
    WorkMeter newMeter(BooleanSupplier isOver) {
        var meter = new WorkMeter();
        meter.begin(isOver);
        add(meter);
        return meter;
    }

    void add(WorkMeter meter) {
        meters.add(meter);
    }

    void add(ScanReads more) {
        reads.add(more);
    }

    /** Returns what all threads have read. */
    ScanReads reads() {
        return reads;
    }

    /** Sets the processor time of the calling thread to 0. */
    void startLeader() {
        leaderStart = THREADS.getCurrentThreadCpuTime();
    }

    /** Returns the processor time of the calling thread since the start, in nanoseconds. */
    long leaderNanos() {
        return THREADS.getCurrentThreadCpuTime() - leaderStart;
    }

    /** Adds the processor time of threads that helped. */
    void addHelperNanos(long nanos) {
        helperNanos += nanos;
    }

    /** Returns the processor time of all threads, in nanoseconds. */
    long cpuNanos() {
        return helperNanos + leaderNanos();
    }

    /** Returns how often threads looked at the clock inside rows. */
    long clockReads() {
        return meters.stream().mapToLong(WorkMeter::questions).sum();
    }

    /** Returns the most units of work that a thread did between two looks at the clock. */
    long largestGap() {
        return meters.stream().mapToLong(WorkMeter::largestGap).max().orElse(0);
    }
}
