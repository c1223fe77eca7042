package org.crabro.container.document;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts operations under way and their bytes, and turns away those beyond the bounds: the memory
 * of bodies is bounded, however many clients send. One for a process.
 */
public final class Admission {
    /** What a body is taken for whose length is not announced. */
    static final long UNANNOUNCED_BYTES = 64 << 10;

    private final int maxOperations;
    private final long maxBytes;
    private final AtomicInteger operations = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    public Admission(DocumentSettings settings) {
        this.maxOperations = settings.maxOperations();
        this.maxBytes = settings.maxOperationBytes();
    }

    /**
     * Has {@code registry} tell how many operations are under way, and their bytes, under the names
     * that the API has always had; beyond these none waits.
     */
    public void measure(MeterRegistry registry) {
        Gauge.builder("httpapi_queued_operations", operations, AtomicInteger::get)
                .strongReference(true)
                .register(registry);
        Gauge.builder("httpapi_queued_bytes", bytes, AtomicLong::get)
                .strongReference(true)
                .register(registry);
    }

    /**
     * Counts an operation in.
     *
     * @return why it must wait; nothing where it may go on, and then {@link #release} follows
     */
    Optional<String> refuse(long length) {
        int others = operations.getAndIncrement();
        long otherBytes = bytes.getAndAdd(length);
        String reason = "";
        if (others >= maxOperations) {
            reason = "%d requests already enqueued, at most %d".formatted(others, maxOperations);
        } else if (others > 0 && otherBytes + length > maxBytes) {
            reason =
                    "%d bytes of requests already enqueued and %d more, at most %d"
                            .formatted(otherBytes, length, maxBytes);
        }
        if (reason.isEmpty()) {
            return Optional.empty();
        }
        release(length);
        return Optional.of("overload: " + reason);
    }

    /** Counts an operation out that was let in with {@code length}. */
    void release(long length) {
        bytes.addAndGet(-length);
        operations.decrementAndGet();
    }

    /** Returns how many operations are under way. */
    public int operations() {
        return operations.get();
    }

    /** Returns how many bytes the bodies of operations under way have, as announced. */
    public long bytes() {
        return bytes.get();
    }
}
