package org.crabro.container.bulk;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts bulk requests under way and what their long lines take, and has the threads that read
 * lines. One for a process.
 */
public final class BulkAdmission implements AutoCloseable {
    private final BulkSettings settings;
    private final AtomicInteger streams = new AtomicInteger();
    private final AtomicLong longLines = new AtomicLong();

    /** Reading lines never waits for others, but embedding texts takes its time. */
    private final ExecutorService threads;

    public BulkAdmission(BulkSettings settings) {
        this.settings = settings;
        this.threads =
                Executors.newFixedThreadPool(
                        settings.threads(),
                        Thread.ofPlatform().name("bulk-", 0).daemon().factory());
    }

    BulkSettings settings() {
        return settings;
    }

    ExecutorService threads() {
        return threads;
    }

    /** Counts a request in, and returns whether it may go on; then {@link #end} follows. */
    boolean tryBegin() {
        if (streams.incrementAndGet() <= settings.maxStreams()) {
            return true;
        }
        streams.decrementAndGet();
        return false;
    }

    void end() {
        streams.decrementAndGet();
    }

    /** Returns whether there is room for {@code bytes} more of long lines; then it is taken. */
    boolean tryReserve(long bytes) {
        if (longLines.addAndGet(bytes) <= settings.longLineBytes()) {
            return true;
        }
        longLines.addAndGet(-bytes);
        return false;
    }

    void release(long bytes) {
        longLines.addAndGet(-bytes);
    }

    /** Returns how many requests are under way. */
    public int streams() {
        return streams.get();
    }

    /** Returns what long lines take now. */
    public long longLineBytes() {
        return longLines.get();
    }

    /** Waits for the lines that are being read. */
    @Override
    public void close() {
        threads.close();
    }
}
