package org.crabro.container.document;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.container.http.BodyLimits;
import org.crabro.container.http.BodyMemory;
import org.crabro.container.http.BodyRefusedException;
import org.crabro.container.http.HttpSettings.BodyTimes;

/**
 * Counts operations in progress and the bytes of their bodies, and rejects operations beyond the
 * bounds. So the memory of bodies is bounded for any count of clients. One for a process.
 *
 * <p>Above {@value #LARGE_BYTES} bytes of a body, each byte counts {@value #LARGE_COST} times: this
 * much memory it takes as characters, as text and as bytes of the row while it is encoded.
 */
public final class Admission {
    static final long LARGE_BYTES = BodyMemory.SMALL_BYTES;
    static final int LARGE_COST = 6;

    private final long maxAnswerBytes;
    private final BodyMemory bodies;
    private final AtomicLong answerBytes = new AtomicLong();

    public Admission(DocumentSettings settings, BodyTimes times) {
        this(
                settings,
                new BodyMemory(
                        new BodyLimits(
                                settings.maxOperations(),
                                settings.maxOperationBytes(),
                                times.stalled())));
    }

    /**
     * @param bodies of operations
     */
    public Admission(DocumentSettings settings, BodyMemory bodies) {
        this.bodies = bodies;
        this.maxAnswerBytes = settings.maxOperationBytes() / 2;
    }

    /**
     * Registers the count of operations in progress, their bytes, and the age of the oldest in
     * seconds, under the metric names of Vespa. No operation waits in a queue.
     */
    public void measure(MeterRegistry registry) {
        bodies.measure(registry, "documents");
        Gauge.builder("httpapi_queued_operations", bodies, BodyMemory::count)
                .strongReference(true)
                .register(registry);
        Gauge.builder("httpapi_queued_bytes", bodies, BodyMemory::bytes)
                .strongReference(true)
                .register(registry);
        Gauge.builder("httpapi_queued_age", bodies, each -> each.age(System.nanoTime()))
                .strongReference(true)
                .register(registry);
    }

    /**
     * Admits an operation before its body is received.
     *
     * @param announced length of its body in bytes; negative if unknown
     * @param beginNanos arrival of the request, on the scale of {@link System#nanoTime()}
     * @return to be closed at the end of the operation
     * @throws BodyRefusedException if the client should retry later
     */
    public BodyMemory.Share admit(long announced, long beginNanos) {
        bodies.announce(cost(announced));
        return bodies.enter(beginNanos);
    }

    /**
     * Updates the length of the body of an operation.
     *
     * @throws BodyRefusedException if a bound is reached
     */
    static void grow(BodyMemory.Share operation, long length) {
        operation.receive(cost(length));
    }

    private static long cost(long length) {
        return length + Math.max(0, length - LARGE_BYTES) * (LARGE_COST - 1);
    }

    /**
     * Adds a document that is in memory until its answer is sent.
     *
     * @param size of the document; small ones are not counted
     * @return why the document is not returned; empty if it is counted, and {@link #release} must
     *     follow
     */
    Optional<String> hold(long size) {
        if (size <= LARGE_BYTES) {
            return Optional.empty();
        }
        long others = answerBytes.getAndAdd(size);
        if (others == 0 || others + size <= maxAnswerBytes) {
            return Optional.empty();
        }
        answerBytes.addAndGet(-size);
        return Optional.of(
                "overload: %d bytes of documents are being sent and %d more, at most %d"
                        .formatted(others, size, maxAnswerBytes));
    }

    /** Subtracts a document that was added. */
    void release(long size) {
        if (size > LARGE_BYTES) {
            answerBytes.addAndGet(-size);
        }
    }

    /** Returns the count of operations in progress. */
    public int operations() {
        return bodies.count();
    }

    /** Returns the counted bytes of the bodies of operations in progress. */
    public long bytes() {
        return bodies.bytes();
    }
}
