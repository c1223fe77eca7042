package org.crabro.container.http;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.eclipse.jetty.io.RateControl;

/**
 * Counts the frames of an HTTP/2 connection that bring nothing: pings, settings, resets, and data
 * of requests that have ended. The connection is closed if a second has more than {@link
 * #FRAMES_PER_SECOND}.
 *
 * <p>An honest client sends many of them if the server answers requests before their bodies are
 * complete: it may have {@link HttpListener#SESSION_WINDOW} of bodies on the way, in frames of 16
 * KiB.
 */
final class FrameRate implements RateControl {
    /** Sixteen times the frames that an honest client has on the way at once. */
    static final int FRAMES_PER_SECOND = 16 * (HttpListener.SESSION_WINDOW / (16 << 10));

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier nanoTime;

    private long begin;
    private int count;

    /**
     * Creates a count that begins now.
     *
     * @param nanoTime as {@link System#nanoTime}
     */
    FrameRate(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        begin = nanoTime.getAsLong();
    }

    @Override
    public synchronized boolean onEvent(Object frame) {
        long now = nanoTime.getAsLong();
        if (now - begin >= SECOND) {
            begin = now;
            count = 0;
        }
        count++;
        return count <= FRAMES_PER_SECOND;
    }
}
