package org.crabro.container.http;

import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

/**
 * A request whose body has a minimum rate, see {@link BodyPace}. The time counts in which the
 * server waits for the client. The time in which the server does not read does not count.
 */
public final class PacedRequest extends Request.Wrapper {
    private final Executor executor;
    private final LongSupplier nanoTime;

    /** Bytes of all bodies of the connection. */
    private final AtomicLong received;

    /** Has this from the first wait to the end of the request. */
    private final Set<PacedRequest> watched;

    /** Runs when content has arrived; null while the server does not wait. Guarded by this. */
    private @Nullable Runnable demanded;

    /** When the server began to wait; guarded by this. */
    private long sinceNanos;

    /** How long the server has waited in this interval before; guarded by this. */
    private long waitedNanos;

    /** Bytes that the connection had received at the begin of the interval; guarded by this. */
    private long receivedBefore;

    /** For the thread that demands. */
    private boolean isWatched;

    private volatile boolean mayIdle;
    private volatile Content.@Nullable Chunk failure;

    /**
     * @param executor runs readers of a body that is too slow
     * @param received counts the bytes of all bodies of the connection
     * @param watched gets this when the server first waits for the body, until the answer is sent
     */
    PacedRequest(
            Request request,
            Executor executor,
            LongSupplier nanoTime,
            AtomicLong received,
            Set<PacedRequest> watched) {
        super(request);
        this.executor = executor;
        this.nanoTime = nanoTime;
        this.received = received;
        this.watched = watched;
        this.receivedBefore = received.get();
    }

    /** Lifts the minimum rate of a request's body. */
    public static void allowIdle(Request request) {
        PacedRequest paced = Request.as(request, PacedRequest.class);
        if (paced != null) {
            paced.mayIdle = true;
        }
    }

    @Override
    public Content.@Nullable Chunk read() {
        Content.Chunk failed = failure;
        if (failed != null) {
            return failed;
        }
        Content.Chunk chunk = super.read();
        if (chunk != null && chunk.hasRemaining()) {
            received.addAndGet(chunk.remaining());
        }
        return chunk;
    }

    @Override
    public void demand(Runnable then) {
        if (failure != null) {
            executor.execute(then);
            return;
        }
        if (!isWatched) {
            isWatched = true;
            watched.add(this);
            Request.addCompletionListener(this, _ -> watched.remove(this));
        }
        synchronized (this) {
            demanded = then;
            sinceNanos = nanoTime.getAsLong();
        }
        super.demand(Invocable.from(Invocable.getInvocationType(then), this::arrived));
    }

    private void arrived() {
        Runnable then;
        synchronized (this) {
            then = endWaiting(nanoTime.getAsLong());
        }
        if (then != null) {
            then.run();
        }
    }

    /** Called with the lock held. */
    private @Nullable Runnable endWaiting(long now) {
        Runnable then = demanded;
        if (then != null) {
            waitedNanos += now - sinceNanos;
            demanded = null;
        }
        return then;
    }

    /** Returns whether the server waits for the client now. */
    synchronized boolean isAwaited() {
        return demanded != null;
    }

    /**
     * Fails the body if an interval is over and the connection has received too little in it.
     *
     * @param interval how long the server waits, in nanoseconds
     * @param minBytes of an interval
     * @return whether the body has failed now
     */
    boolean check(long interval, long minBytes, String problem) {
        Runnable then;
        synchronized (this) {
            long now = nanoTime.getAsLong();
            if (mayIdle || demanded == null || waitedNanos + now - sinceNanos < interval) {
                return false;
            }
            long bytes = received.get();
            if (bytes - receivedBefore >= minBytes) {
                waitedNanos = 0;
                sinceNanos = now;
                receivedBefore = bytes;
                return false;
            }
            failure = Content.Chunk.from(UnusableBodyException.tooSlow(problem), true);
            then = endWaiting(now);
        }
        if (then != null) {
            executor.execute(then);
        }
        return true;
    }
}
