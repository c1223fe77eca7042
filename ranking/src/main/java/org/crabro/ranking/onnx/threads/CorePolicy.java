package org.crabro.ranking.onnx.threads;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;

/**
 * Decides when the model runs of a process start, and at which level. It has no thread and no lock:
 * callers synchronize, and a simulation drives it with a clock of its own.
 *
 * <p>A bucket has a token for each core. A run at a level of k threads takes k tokens if it is the
 * first one there, and one token otherwise: concurrent runs of a level share its pool, so each adds
 * only the calling thread. While n runs are in flight, level k is permitted if k - 1 + n threads
 * are not more than the cores and a quarter of k. So a lone run can use all cores, and runs use one
 * thread when there are as many as cores. While all runs use one thread, there can be twice as many
 * runs as cores. Of the permitted levels, a run gets the one that was fastest for inputs of its
 * size.
 *
 * <p>The number in flight is not less than its moving average, so that runs do not become wide
 * again in the short breaks of a burst. If a run's level lacks tokens, the run uses one thread. It
 * waits if there is no token at all, or if another level of its model with several threads has the
 * tokens: that level ends soon. Waiting runs start in the order of their arrival.
 */
public final class CorePolicy {
    /** The maximum number of waiting runs of a process; more are rejected. */
    public static final int WAITING_MAX = 1_024;

    /** The time after which a change of the number in flight is half visible in the average. */
    static final double HALF_LIFE_NANOS = 20e6;

    /** The time that a level can be joined after a higher one has become better. */
    private static final double JOIN_NANOS = 5 * HALF_LIFE_NANOS;

    private static final int WAITS = -1;

    /**
     * How many runs of one thread a core can have if all runs have one. When a run ends, the
     * operating system takes up to 2 ms to start a waiting thread; other runs use the core
     * meanwhile.
     */
    private static final int NARROW_PER_CORE = 2;

    /** The share of a level's threads that may exceed the cores. */
    private static final int SLACK = 4;

    private final int cores;
    private final LongSupplier clock;
    private final ArrayDeque<RunRequest> waiting = new ArrayDeque<>();

    /** The threads of all levels with runs. */
    private int threads;

    private int running;
    private double average;
    private long averageAt;

    /**
     * @param cores at least 1
     * @param clock in nanoseconds
     */
    public CorePolicy(int cores, LongSupplier clock) {
        if (cores < 1) {
            throw new IllegalArgumentException(cores + " cores");
        }
        this.cores = cores;
        this.clock = clock;
        this.averageAt = clock.getAsLong();
    }

    /**
     * Returns the levels of a model.
     *
     * @param threadsMax a maximum; never more than the cores
     */
    public ThreadLevels levels(int threadsMax) {
        return new ThreadLevels(Math.clamp(threadsMax, 1, cores));
    }

    /**
     * A run arrives.
     *
     * @param size of its input in cells
     * @return the request, which has started or waits; empty if too many wait
     */
    public Optional<RunRequest> arrive(ThreadLevels model, long size) {
        if (waiting.size() >= WAITING_MAX) {
            return Optional.empty();
        }
        follow();
        var request = new RunRequest(model, size, clock.getAsLong());
        waiting.add(request);
        start();
        return Optional.of(request);
    }

    /**
     * Counts a run of a model with a fixed number of threads. It never waits, and takes one token:
     * its other threads belong to a pool that all runs of this model share.
     */
    public void beginFixed() {
        follow();
        running++;
        threads++;
    }

    /**
     * Ends a run of a model with a fixed number of threads.
     *
     * @return the requests that start now
     */
    public List<RunRequest> endFixed() {
        follow();
        running--;
        threads--;
        return start();
    }

    /**
     * A started request has ended.
     *
     * @param isMeasured whether its time counts; failed runs are shorter
     * @return the requests that start now
     */
    public List<RunRequest> end(RunRequest request, boolean isMeasured) {
        follow();
        long now = clock.getAsLong();
        ThreadLevels model = request.model();
        if (isMeasured) {
            model.times()
                    .add(request.size(), request.level(), (double) (now - request.startedAt()));
        }
        running--;
        threads -= model.end(request.level());
        return start();
    }

    /**
     * A waiting request gives up.
     *
     * @return the requests that start now
     */
    public List<RunRequest> abandon(RunRequest request) {
        follow();
        waiting.remove(request);
        return start();
    }

    /**
     * Returns the level of a model that should be loaded now for requests like this one; empty if
     * none. The caller calls {@link #loaded} when it has tried.
     */
    public OptionalInt startLoading(RunRequest request) {
        double load = load();
        ThreadLevels model = request.model();
        OptionalInt wanted =
                model.wanted(request.size(), level -> isPermitted(model.threads(level), load));
        if (wanted.isPresent()) {
            model.loading();
        }
        return wanted;
    }

    /** A level was loaded. After a failure, which is not reported here, no other is loaded. */
    public void loaded(ThreadLevels model, int level) {
        model.loaded(level);
    }

    /** Returns how many requests wait. */
    public int waiting() {
        return waiting.size();
    }

    /** Returns how many threads the running requests use, with the pools of their levels. */
    public int threads() {
        return threads;
    }

    private List<RunRequest> start() {
        var started = new ArrayList<RunRequest>();
        while (!waiting.isEmpty()) {
            RunRequest first = waiting.getFirst();
            ThreadLevels model = first.model();
            long now = clock.getAsLong();
            int level = level(model, first.size(), now);
            if (level < 0) {
                break;
            }
            waiting.removeFirst();
            running++;
            threads += model.cost(level);
            model.begin(level, now);
            first.start(level, now);
            started.add(first);
        }
        return started;
    }

    /** Returns the level at which a run can start now; negative if it has to wait. */
    private int level(ThreadLevels model, long size, long now) {
        double load = load();
        int best =
                model.times()
                        .best(
                                size,
                                level ->
                                        model.isLoaded(level)
                                                && isPermitted(model.threads(level), load));
        if (isFree(model, best)) {
            return best;
        }
        if (!model.isWide()) {
            return isFree(model, 0) ? 0 : WAITS;
        }
        // Another level of this model has the tokens. Its runs end soon, unless others join them.
        for (int level = best - 1; level > 0; level--) {
            if (model.running(level) > 0
                    && now - model.activeSince(level) < JOIN_NANOS
                    && isFree(model, level)) {
                return level;
            }
        }
        return WAITS;
    }

    private boolean isFree(ThreadLevels model, int level) {
        if (level == 0 && threads == running) {
            return running < NARROW_PER_CORE * cores;
        }
        int slack = level == 0 ? 0 : model.threads(level) / SLACK;
        return threads + model.cost(level) <= cores + slack;
    }

    /** Returns whether the load permits runs with {@code count} threads. */
    private boolean isPermitted(int count, double load) {
        return count == 1 || count - 1 + load <= cores + count / SLACK;
    }

    private double load() {
        return Math.max(running + waiting.size(), average);
    }

    /** Brings the average up to date; called before the number in flight changes. */
    private void follow() {
        long now = clock.getAsLong();
        double inFlight = running + waiting.size();
        double share = Math.pow(2, -(now - averageAt) / HALF_LIFE_NANOS);
        average = inFlight + (average - inFlight) * share;
        averageAt = now;
    }
}
