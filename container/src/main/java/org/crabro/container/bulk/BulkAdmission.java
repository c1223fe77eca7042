package org.crabro.container.bulk;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.container.http.BodyLimits;
import org.crabro.container.http.BodyMemory;
import org.crabro.container.http.BodyRefusedException;
import org.eclipse.jetty.http.HttpStatus;

/**
 * Counts bulk requests in progress and the bytes of their long lines, and owns the threads that
 * read lines. One for a process.
 */
public final class BulkAdmission implements AutoCloseable {
    private final BulkSettings settings;
    private final Duration idle;
    private final BodyMemory streams;
    private final AtomicLong longLines = new AtomicLong();

    /** Threads that read lines never block. */
    private final ExecutorService threads;

    /**
     * @param idle a request that receives less than 16 KiB in this time, while its reader waits,
     *     gives its place to another
     */
    public BulkAdmission(BulkSettings settings, Duration idle) {
        this(settings, idle, System::nanoTime);
    }

    /**
     * @param nanoTime on the scale of {@link System#nanoTime()}
     */
    BulkAdmission(BulkSettings settings, Duration idle, LongSupplier nanoTime) {
        this.settings = settings;
        this.idle = idle;
        this.streams = new BodyMemory(BodyLimits.places(settings.maxStreams(), idle), nanoTime);
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

    /** Registers the count of requests in progress. */
    public void measure(MeterRegistry registry) {
        streams.measure(registry, "bulk");
    }

    /**
     * Admits a request. If all places are taken, the request that has been idle for the longest
     * time is ended.
     *
     * @param beginNanos arrival of the request
     * @return its place, to be closed
     * @throws InvalidRequestException if no request is idle
     */
    BodyMemory.Share begin(long beginNanos) {
        try {
            return streams.enter(beginNanos);
        } catch (BodyRefusedException _) {
            throw new InvalidRequestException(
                    HttpStatus.TOO_MANY_REQUESTS_429,
                    "overload: %d bulk requests are under way, at most %d"
                            .formatted(settings.maxStreams(), settings.maxStreams()));
        }
    }

    /** Returns the message of a request that was ended for another one. */
    String gaveWay() {
        return "overload: this bulk request received less than %d bytes in %d ms and gave its place to another, at most %d"
                .formatted(BodyMemory.PROGRESS_BYTES, idle.toMillis(), settings.maxStreams());
    }

    /** Reserves {@code bytes} for long lines. Returns false if the bound is reached. */
    boolean tryReserve(long bytes) {
        if (longLines.addAndGet(bytes) <= settings.input().longLineBytes()) {
            return true;
        }
        longLines.addAndGet(-bytes);
        return false;
    }

    void release(long bytes) {
        longLines.addAndGet(-bytes);
    }

    /** Returns the count of requests in progress. */
    public int streams() {
        return streams.count();
    }

    /** Returns the count of requests that wait for their clients. */
    int waiting() {
        return streams.waiting();
    }

    /** Returns the bytes of long lines. */
    public long longLineBytes() {
        return longLines.get();
    }

    /** Waits until the lines in progress are read. */
    @Override
    public void close() {
        threads.close();
    }
}
