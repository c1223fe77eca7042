package org.crabro.container.http;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.eclipse.jetty.util.thread.TryExecutor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a selector thread answer the request that it has read. If the answer takes long, another
 * thread takes over as selector. So the answer to a small request wakes no other thread.
 *
 * <p>Jetty requests a replacement before each request. This class promises one, and starts it only
 * after {@link #PATIENCE}. A watch thread checks all promises every {@link #TICK} while there are
 * any. So a connection waits at most about a millisecond for the long request of another one. If
 * every selector has a single connection, no other connection waits: the watch then checks every
 * {@link #LONE_TICK}, unless {@link SelectorState#requestSelection} wakes it.
 */
final class ReplacementSelectors implements TryExecutor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplacementSelectors.class);

    /**
     * The interval of checks, in nanoseconds. A check takes a tenth of the time of a small query.
     */
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(1);

    /** The interval of checks while every selector has at most one connection. */
    static final Duration LONE_TICK = Duration.ofMillis(16);

    /** The time that a selector may answer before it is replaced, in nanoseconds. */
    private static final long PATIENCE = TimeUnit.MICROSECONDS.toNanos(300);

    /** Ticks without a promise after which the watch sleeps until the next one. */
    private static final int QUIET_TICKS = 3;

    private final Executor threads;
    private final long loneTick;
    private final SelectorState[] states;
    private final Thread watch;
    private volatile boolean isParked;
    private volatile boolean isSlow;
    private volatile boolean isClosed;

    /**
     * Starts the watch. Each selector reports to its own {@link SelectorState}.
     *
     * @param threads runs replacements: it needs a thread for each concurrent long request
     * @param count of selectors
     * @param name of the watch thread
     * @param loneTick see {@link #LONE_TICK}
     */
    ReplacementSelectors(Executor threads, int count, String name, Duration loneTick) {
        this.threads = threads;
        this.loneTick = loneTick.toNanos();
        this.states = new SelectorState[count];
        for (int i = 0; i < count; i++) {
            states[i] = new SelectorState(this);
        }
        this.watch = Thread.ofPlatform().name(name).daemon().start(this::watch);
    }

    /** The state of one selector: a thread selects, or it has left to answer a request. */
    static final class SelectorState {
        /**
         * Time at which the thread left to answer, by {@link System#nanoTime}; 0 while it selects.
         */
        private final AtomicLong answeringSince = new AtomicLong();

        private final ReplacementSelectors all;
        private volatile Runnable selecting = () -> {};
        private volatile IntSupplier connections = () -> 0;

        /**
         * The thread that left last. Written before {@code answeringSince}, and read only if {@code
         * answeringSince} is not 0.
         */
        private @Nullable Thread answerer;

        /** Whether a selection is needed before the thread returns. */
        private volatile boolean isAwaited;

        private SelectorState(ReplacementSelectors all) {
            this.all = all;
        }

        /**
         * Sets the task of a replacement.
         *
         * @param connections count of connections of this selector; safe for use by many threads
         */
        void open(Runnable selecting, IntSupplier connections) {
            this.connections = connections;
            this.selecting = selecting;
        }

        /** Reports that a thread selects. */
        void select() {
            if (answeringSince.get() != 0) {
                answeringSince.set(0);
            }
            if (isAwaited) {
                isAwaited = false;
            }
        }

        private void startAnswer() {
            answerer = Thread.currentThread();
            // Never 0, which has another meaning; a nanosecond more does not matter.
            answeringSince.set(System.nanoTime() | 1);
        }

        /** Reports that a selection is needed. */
        void requestSelection() {
            if (answeringSince.get() != 0 && !isAwaited) {
                isAwaited = true;
                LockSupport.unpark(all.watch);
            }
        }

        /** Reports that a selection is needed, unless the thread that left reports it. */
        @SuppressWarnings("ReferenceEquality") // A thread is equal to itself alone.
        void requestSelectionByOthers() {
            if (answeringSince.get() != 0 && answerer != Thread.currentThread()) {
                requestSelection();
            }
        }

        private boolean isShared() {
            return isAwaited || connections.getAsInt() > 1;
        }

        /** Returns whether a replacement is due; true only once. */
        private boolean claim(long now) {
            long since = answeringSince.get();
            return since != 0 && now - since >= PATIENCE && answeringSince.compareAndSet(since, 0);
        }
    }

    /** Returns the state of a selector by its number, from 0. */
    SelectorState state(int number) {
        return states[number];
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    /**
     * Promises to run {@code task}, if it belongs to a selector, unless that selector selects again
     * before.
     */
    @Override
    @SuppressWarnings("ReferenceEquality") // Compares tasks by identity.
    public boolean tryExecute(Runnable task) {
        for (SelectorState state : states) {
            if (state.selecting == task) {
                state.startAnswer();
                // Read after the write: the watch checks once more after it has set the flag.
                if (isParked || (isSlow && state.isShared())) {
                    isParked = false;
                    isSlow = false;
                    LockSupport.unpark(watch);
                }
                return true;
            }
        }
        return false;
    }

    private void watch() {
        int quiet = 0;
        while (!isClosed) {
            if (isAnyAnswering()) {
                quiet = 0;
            } else if (++quiet > QUIET_TICKS) {
                parkUntilAnswer();
                quiet = 0;
            }
            isSlow = true;
            // Read after the write: a thread that leaves a shared state after this check sees the
            // flag.
            isSlow = !isAnyShared();
            LockSupport.parkNanos(this, isSlow ? loneTick : TICK);
            long now = System.nanoTime();
            for (SelectorState state : states) {
                if (state.claim(now)) {
                    send(state.selecting);
                }
            }
        }
    }

    /** Catches everything: without the watch thread, a long request would delay all later ones. */
    private void send(Runnable selecting) {
        try {
            threads.execute(selecting);
        } catch (RejectedExecutionException e) {
            LOG.debug("no selector is left: the server is stopped", e);
        } catch (RuntimeException | Error e) {
            LOG.warn("A selector could not be replaced", e);
        }
    }

    /** Waits until a thread leaves its state. */
    private void parkUntilAnswer() {
        isParked = true;
        while (isParked && !isClosed && !isAnyAnswering()) {
            LockSupport.park(this);
        }
        isParked = false;
    }

    private boolean isAnyShared() {
        for (SelectorState state : states) {
            if (state.isShared()) {
                return true;
            }
        }
        return false;
    }

    private boolean isAnyAnswering() {
        for (SelectorState state : states) {
            if (state.answeringSince.get() != 0) {
                return true;
            }
        }
        return false;
    }

    /** Ends the watch. Called when no thread selects any more. */
    @Override
    public void close() {
        isClosed = true;
        LockSupport.unpark(watch);
    }
}
