package org.crabro.ranking.onnx.threads;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A {@link CorePolicy} for threads: a run that has to wait blocks its thread, until its deadline at
 * most. Safe for use by many threads.
 */
public final class CoreGate {
    private final CorePolicy policy;
    private final ReentrantLock lock = new ReentrantLock();

    /** What the threads of waiting requests wait for. */
    private final Map<RunRequest, Condition> blocked = new HashMap<>();

    /**
     * @param policy with the clock of {@link System#nanoTime()}; for exclusive use
     */
    public CoreGate(CorePolicy policy) {
        this.policy = policy;
    }

    /** Returns the levels of a model; see {@link CorePolicy#levels}. */
    public ThreadLevels levels(int threadsMax) {
        return policy.levels(threadsMax);
    }

    /**
     * Waits until a run can start. The caller calls {@link #exit} after the run.
     *
     * @param size of its input in cells
     * @param deadline on the scale of {@link System#nanoTime()}
     * @return the started request
     * @throws ModelBusyException if too many runs wait, or it cannot start before the deadline
     */
    public RunRequest enter(ThreadLevels model, long size, long deadline) {
        lock.lock();
        try {
            RunRequest request =
                    policy.arrive(model, size)
                            .orElseThrow(() ->
                                    new ModelBusyException(
                                            "%d model runs wait already"
                                                    .formatted(CorePolicy.WAITING_MAX)));
            if (!request.isStarted()) {
                await(request, deadline);
            }
            return request;
        } finally {
            lock.unlock();
        }
    }

    private void await(RunRequest request, long deadline) {
        Condition started = lock.newCondition();
        blocked.put(request, started);
        try {
            while (!request.isStarted()) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw new ModelBusyException("no core was free for the model in time");
                }
                // The loop checks whether the time is up.
                long _ = started.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ModelBusyException("the wait for a free core was interrupted");
        } finally {
            blocked.remove(request);
            if (!request.isStarted()) {
                wake(policy.abandon(request));
            }
        }
    }

    /**
     * Ends a run.
     *
     * @param isMeasured whether the time of the run counts
     * @return the level that the caller has to load now; it reports the outcome to {@link #loaded}
     */
    public OptionalInt exit(RunRequest request, boolean isMeasured) {
        lock.lock();
        try {
            wake(policy.end(request, isMeasured));
            return policy.startLoading(request);
        } finally {
            lock.unlock();
        }
    }

    /** Counts a run with a fixed number of threads, which never waits. */
    public void enterFixed() {
        lock.lock();
        try {
            policy.beginFixed();
        } finally {
            lock.unlock();
        }
    }

    /** Ends a run with a fixed number of threads. */
    public void exitFixed() {
        lock.lock();
        try {
            wake(policy.endFixed());
        } finally {
            lock.unlock();
        }
    }

    /** Makes a loaded level usable. */
    public void loaded(ThreadLevels model, int level) {
        lock.lock();
        try {
            policy.loaded(model, level);
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many runs wait. */
    public int waiting() {
        lock.lock();
        try {
            return policy.waiting();
        } finally {
            lock.unlock();
        }
    }

    private void wake(List<RunRequest> started) {
        for (RunRequest request : started) {
            Condition condition = blocked.get(request);
            if (condition != null) {
                condition.signal();
            }
        }
    }
}
