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
 * Lets the thread that selects answer what it has read by itself, and another one select in its
 * stead where that takes long: a small request is then answered without waking anyone.
 *
 * <p>Jetty asks for a stand-in before each request. It is promised, and sent only after {@link
 * #PATIENCE}, by a thread that looks at all promises every {@link #TICK} while there are any. So a
 * connection waits for the long request of another one for about a millisecond at the most. Where a
 * selector has a single connection nobody waits for it: then promises are looked at every {@link
 * #LONE_TICK}, unless somebody {@linkplain Post#hurry asks} sooner.
 */
final class ReplacementSelectors implements TryExecutor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplacementSelectors.class);

    /** How often promises are looked at: each look takes as long as a tenth of a small query. */
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(1);

    /** The same where all selectors have a single connection at the most. */
    static final Duration LONE_TICK = Duration.ofMillis(16);

    /** How long a thread may answer before another one selects. */
    private static final long PATIENCE = TimeUnit.MICROSECONDS.toNanos(300);

    /** Ticks without any promise after which nobody looks until there is one. */
    private static final int QUIET_TICKS = 3;

    private final Executor threads;
    private final long loneTick;
    private final Post[] posts;
    private final Thread watch;
    private volatile boolean isResting;
    private volatile boolean isDozing;
    private volatile boolean isClosed;

    /**
     * Begins to watch. Whoever selects reports at a {@link Post} each.
     *
     * @param threads where stand-ins come from: as many as there may be requests that take long
     * @param count of selectors
     * @param name of the thread that watches
     * @param loneTick see {@link #LONE_TICK}
     */
    ReplacementSelectors(Executor threads, int count, String name, Duration loneTick) {
        this.threads = threads;
        this.loneTick = loneTick.toNanos();
        this.posts = new Post[count];
        for (int i = 0; i < count; i++) {
            posts[i] = new Post(this);
        }
        this.watch = Thread.ofPlatform().name(name).daemon().start(this::watch);
    }

    /** Where one of several threads selects, or none while it answers. */
    static final class Post {
        /** When the thread here left it to answer, by {@link System#nanoTime}; 0: it selects. */
        private final AtomicLong left = new AtomicLong();

        private final ReplacementSelectors all;
        private volatile Runnable selecting = () -> {};
        private volatile IntSupplier connections = () -> 0;

        /** Who left last; read where {@code left} is not 0, which is written behind it. */
        private @Nullable Thread leaver;

        /** Whether somebody needs a selection before the thread here is back. */
        private volatile boolean isAwaited;

        private Post(ReplacementSelectors all) {
            this.all = all;
        }

        /**
         * Says what a stand-in has to run.
         *
         * @param connections how many there are that take turns here; asked by any thread
         */
        void open(Runnable selecting, IntSupplier connections) {
            this.connections = connections;
            this.selecting = selecting;
        }

        /** Says that somebody selects here. */
        void take() {
            if (left.get() != 0) {
                left.set(0);
            }
            if (isAwaited) {
                isAwaited = false;
            }
        }

        private void leave() {
            leaver = Thread.currentThread();
            // Never 0, which means something else; one nanosecond is nothing.
            left.set(System.nanoTime() | 1);
        }

        /** Says that something waits for a selection, whoever is away from here. */
        void hurry() {
            if (left.get() != 0 && !isAwaited) {
                isAwaited = true;
                LockSupport.unpark(all.watch);
            }
        }

        /** Says the same of something that others than the thread that is away have to do here. */
        @SuppressWarnings("ReferenceEquality") // A thread is equal to itself alone.
        void hurryForOthers() {
            if (left.get() != 0 && leaver != Thread.currentThread()) {
                hurry();
            }
        }

        private boolean isShared() {
            return isAwaited || connections.getAsInt() > 1;
        }

        /** Returns whether it was left so long ago that somebody has to stand in, and only once. */
        private boolean claim(long now) {
            long since = left.get();
            return since != 0 && now - since >= PATIENCE && left.compareAndSet(since, 0);
        }
    }

    /** Returns where the selector with this number, from 0 on, reports. */
    Post post(int number) {
        return posts[number];
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    /**
     * Promises to run {@code task}, if it is a selector's, unless that one selects again before.
     */
    @Override
    @SuppressWarnings("ReferenceEquality") // Whether it is that selector's own task.
    public boolean tryExecute(Runnable task) {
        for (Post post : posts) {
            if (post.selecting == task) {
                post.leave();
                // Read behind the write: the watch looks once more after it has said that it rests.
                if (isResting || (isDozing && post.isShared())) {
                    isResting = false;
                    isDozing = false;
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
            if (isAnyLeft()) {
                quiet = 0;
            } else if (++quiet > QUIET_TICKS) {
                rest();
                quiet = 0;
            }
            isDozing = true;
            // Read behind the write: who leaves a post that is shared by now sees this doze.
            isDozing = !isAnyShared();
            LockSupport.parkNanos(this, isDozing ? loneTick : TICK);
            long now = System.nanoTime();
            for (Post post : posts) {
                if (post.claim(now)) {
                    send(post.selecting);
                }
            }
        }
    }

    /** The root of the thread: without it a long request would hold up all that come behind. */
    private void send(Runnable selecting) {
        try {
            threads.execute(selecting);
        } catch (RejectedExecutionException e) {
            LOG.debug("no selector is left: the server is stopped", e);
        } catch (RuntimeException | Error e) {
            LOG.warn("A selector could not be stood in for", e);
        }
    }

    /** Waits until somebody leaves a post. */
    private void rest() {
        isResting = true;
        while (isResting && !isClosed && !isAnyLeft()) {
            LockSupport.park(this);
        }
        isResting = false;
    }

    private boolean isAnyShared() {
        for (Post post : posts) {
            if (post.isShared()) {
                return true;
            }
        }
        return false;
    }

    private boolean isAnyLeft() {
        for (Post post : posts) {
            if (post.left.get() != 0) {
                return true;
            }
        }
        return false;
    }

    /** Ends the watch: when nothing selects any more. */
    @Override
    public void close() {
        isClosed = true;
        LockSupport.unpark(watch);
    }
}
