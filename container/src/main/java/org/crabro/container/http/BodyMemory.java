package org.crabro.container.http;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Memory and places for the bodies of requests. The received bytes of a body count, not the size
 * that its client announces. Thread-safe; each {@link Share} belongs to the thread that reads its
 * body.
 *
 * <p>When there is no room for more of a body:
 *
 * <ol>
 *   <li>The body that has stalled for longest gives way.
 *   <li>If none has stalled and the growing body is large, the newest large body that is newer and
 *       still being received gives way. So the oldest large body is never rejected because of other
 *       incomplete ones, and many incomplete bodies cannot wait for each other.
 *   <li>Otherwise the growing body is rejected.
 * </ol>
 *
 * <p>Large bodies leave a quarter of the memory to small ones. The memory of a body is free again
 * as soon as it gives way or is rejected. The reasons are in ADR 0032.
 */
public final class BodyMemory {
    /** A body that counts for more is large. */
    public static final long SMALL_BYTES = 1 << 20;

    /** A body that receives less in {@link BodyLimits#stalled} has stalled. */
    public static final long PROGRESS_BYTES = 16 << 10;

    /** The part of the memory that large bodies leave to small ones. */
    private static final int PART_FOR_SMALL = 4;

    private static final double NANOS_PER_SECOND = 1e9;

    private final BodyLimits limits;
    private final LongSupplier nanoTime;
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong smallBytes = new AtomicLong();
    private final AtomicLong largeBytes = new AtomicLong();
    private final LongAdder received = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder gaveWay = new LongAdder();
    private final Set<Share> shares = ConcurrentHashMap.newKeySet();

    /** Held by the thread that selects the body that gives way. */
    private final Object choice = new Object();

    public BodyMemory(BodyLimits limits) {
        this(limits, System::nanoTime);
    }

    /**
     * @param nanoTime on the scale of {@link System#nanoTime()}
     */
    public BodyMemory(BodyLimits limits, LongSupplier nanoTime) {
        this.limits = limits;
        this.nanoTime = nanoTime;
    }

    /** The counted bytes of one body. Closing it releases them. */
    public final class Share implements AutoCloseable {
        private final long beginNanos;

        /** Waits for the client, where a thread does. */
        private volatile @Nullable Thread reader;

        /** Written under this. */
        private volatile long counted;

        /** Guarded by this. The body is complete and in use. */
        private volatile boolean isWhole;

        /** Written under this. */
        private volatile boolean isOver;

        private volatile boolean hasGivenWay;
        private volatile boolean isWaiting;

        /** As if the reader had waited for the client all the time since the last progress. */
        private volatile long progressNanos;

        /** When the reader last stopped waiting. */
        private long busySinceNanos;

        private long progressBytes;

        private Share(long beginNanos, long now) {
            this.beginNanos = beginNanos;
            this.progressNanos = now;
            this.busySinceNanos = now;
        }

        /**
         * Updates the counted bytes of the body.
         *
         * @param counts a number less than before changes nothing
         * @throws BodyRefusedException if there is no room for it, or another body has taken the
         *     room
         */
        public void receive(long counts) {
            long more = counts - counted;
            if (more > 0) {
                grow(counts);
                received.add(more);
                boolean fits =
                        counts <= SMALL_BYTES
                                && smallBytes.get() + largeBytes.get() <= limits.bytes();
                if (!fits && !makeRoom(this)) {
                    refused.increment();
                    long others = bytes() - counts;
                    end();
                    throw new BodyRefusedException(tooManyBytes(others, counts));
                }
            }
            check();
        }

        private synchronized void grow(long counts) {
            if (!isOver) {
                countOut();
                counted = counts;
                (counts <= SMALL_BYTES ? smallBytes : largeBytes).addAndGet(counts);
            }
        }

        private void countOut() {
            (counted <= SMALL_BYTES ? smallBytes : largeBytes).addAndGet(-counted);
        }

        /**
         * Marks the body as received; it is used from here on.
         *
         * @throws BodyRefusedException if another body has taken the room
         */
        public void complete() {
            synchronized (this) {
                isWhole = true;
            }
            check();
        }

        private void check() {
            if (hasGivenWay) {
                throw gaveWay();
            }
        }

        private BodyRefusedException gaveWay() {
            return new BodyRefusedException(
                    "overload: this request was stopped while it was received, because others need its memory; at most %d requests with %d bytes"
                            .formatted(limits.bodies(), limits.bytes()));
        }

        /**
         * Marks that the reader waits for its client.
         *
         * @param arrived bytes of the body as it is sent
         */
        void beginWaiting(long arrived) {
            long now = nanoTime.getAsLong();
            if (arrived - progressBytes >= PROGRESS_BYTES) {
                progressBytes = arrived;
                progressNanos = now;
            } else {
                progressNanos = progressNanos + now - busySinceNanos;
            }
            reader = Thread.currentThread();
            isWaiting = true;
        }

        /**
         * Marks that the reader does not wait any more.
         *
         * @throws BodyRefusedException if another body has taken the room
         */
        void endWaiting() {
            isWaiting = false;
            reader = null;
            busySinceNanos = nanoTime.getAsLong();
            check();
        }

        /** Returns whether another body has taken the room or the place. */
        public boolean hasGivenWay() {
            return hasGivenWay;
        }

        private boolean hasStalled(long now) {
            return isWaiting && !isWhole && now - progressNanos >= limits.stalled().toNanos();
        }

        /** Returns whether this gave way; false if its body is complete by now. */
        private boolean giveWay() {
            synchronized (this) {
                if (isOver || isWhole) {
                    return false;
                }
                hasGivenWay = true;
                end();
            }
            LockSupport.unpark(reader);
            return true;
        }

        private synchronized void end() {
            if (!isOver) {
                isOver = true;
                countOut();
                counted = 0;
                count.decrementAndGet();
                shares.remove(this);
            }
        }

        @Override
        public void close() {
            end();
        }
    }

    /**
     * Returns the share of a body before its first byte.
     *
     * @param beginNanos when its request came
     * @throws BodyRefusedException if there are too many
     */
    public Share enter(long beginNanos) {
        if (count.incrementAndGet() > limits.bodies() && !makePlace()) {
            int others = count.decrementAndGet();
            refused.increment();
            throw new BodyRefusedException(
                    "overload: %d requests already enqueued, at most %d"
                            .formatted(others, limits.bodies()));
        }
        var share = new Share(beginNanos, nanoTime.getAsLong());
        shares.add(share);
        return share;
    }

    /**
     * Rejects a large body that would very likely be rejected later. Counts nothing for it.
     *
     * @param counts the bytes that the body would count for
     * @throws BodyRefusedException if there is no room and no body has stalled
     */
    public void announce(long counts) {
        long large = largeBytes.get();
        long all = smallBytes.get() + large;
        boolean fits =
                counts <= SMALL_BYTES
                        || large == 0
                        || (all + counts <= limits.bytes() && large + counts <= mostLarge());
        if (!fits && longestStalled(nanoTime.getAsLong()) == null) {
            refused.increment();
            throw new BodyRefusedException(tooManyBytes(all, counts));
        }
    }

    private String tooManyBytes(long others, long counts) {
        return "overload: %d bytes of requests already enqueued and %d more, at most %d"
                .formatted(Math.max(0, others), counts, limits.bytes());
    }

    private long mostLarge() {
        return limits.bytes() - limits.bytes() / PART_FOR_SMALL;
    }

    private boolean makePlace() {
        synchronized (choice) {
            while (count.get() > limits.bodies()) {
                Share stalled = longestStalled(nanoTime.getAsLong());
                if (stalled == null) {
                    return false;
                }
                giveWay(stalled);
            }
            return true;
        }
    }

    private boolean makeRoom(Share asking) {
        synchronized (choice) {
            while (!fits(asking)) {
                Share stalled = longestStalled(nanoTime.getAsLong());
                Share chosen = stalled == null ? newestAfter(asking) : stalled;
                if (chosen == null) {
                    return false;
                }
                giveWay(chosen);
            }
            return true;
        }
    }

    private void giveWay(Share chosen) {
        if (chosen.giveWay()) {
            gaveWay.increment();
        }
    }

    private boolean fits(Share share) {
        long small = smallBytes.get();
        long large = largeBytes.get();
        long own = share.counted;
        boolean allFit = small + large <= limits.bytes();
        boolean smallFit = small <= limits.bytes() / PART_FOR_SMALL;
        if (own <= SMALL_BYTES) {
            return allFit || smallFit || small + large == own;
        }
        return large == own ? allFit || smallFit : allFit && large <= mostLarge();
    }

    private @Nullable Share longestStalled(long now) {
        Share longest = null;
        for (Share each : shares) {
            if (each.hasStalled(now)
                    && (longest == null || each.progressNanos - longest.progressNanos < 0)) {
                longest = each;
            }
        }
        return longest;
    }

    /** Returns the newest large body that is newer and being received; null for a small body. */
    private @Nullable Share newestAfter(Share asking) {
        Share newest = asking;
        if (asking.counted > SMALL_BYTES) {
            for (Share each : shares) {
                if (!each.isWhole
                        && each.counted > SMALL_BYTES
                        && each.beginNanos - newest.beginNanos > 0) {
                    newest = each;
                }
            }
        }
        return newest == asking ? null : newest;
    }

    /**
     * Returns the age in seconds of the oldest body that is received or used; 0 if there is none.
     */
    public double age(long nowNanos) {
        long longest = 0;
        for (Share each : shares) {
            longest = Math.max(longest, nowNanos - each.beginNanos);
        }
        return longest / NANOS_PER_SECOND;
    }

    /**
     * Registers meters for the number of bodies that are received or used, their counted bytes, and
     * the numbers of bodies that were rejected or gave way.
     *
     * @param kind of requests
     */
    public void measure(MeterRegistry registry, String kind) {
        gauge(registry, "http.bodies.count", kind, BodyMemory::count);
        gauge(registry, "http.bodies.bytes", kind, BodyMemory::bytes);
        counter(registry, "http.bodies.refused", kind, BodyMemory::refused);
        counter(registry, "http.bodies.gave.way", kind, BodyMemory::gaveWay);
    }

    private void gauge(
            MeterRegistry registry, String name, String kind, ToDoubleFunction<BodyMemory> value) {
        Gauge.builder(name, this, value).tag("kind", kind).strongReference(true).register(registry);
    }

    private void counter(
            MeterRegistry registry, String name, String kind, ToDoubleFunction<BodyMemory> value) {
        FunctionCounter.builder(name, this, value).tag("kind", kind).register(registry);
    }

    /** Returns how many bodies are received or used. */
    public int count() {
        return count.get();
    }

    /** Returns how many readers wait for their clients. */
    public int waiting() {
        return (int) shares.stream().filter(share -> share.isWaiting).count();
    }

    /** Returns their counted bytes. */
    public long bytes() {
        return smallBytes.get() + largeBytes.get();
    }

    /** Returns the counted bytes of all bodies since the start. */
    public long totalBytes() {
        return received.sum();
    }

    /** Returns how many bodies have been refused since the start. */
    public long refused() {
        return refused.sum();
    }

    /** Returns how many bodies have given way to others since the start. */
    public long gaveWay() {
        return gaveWay.sum();
    }
}
