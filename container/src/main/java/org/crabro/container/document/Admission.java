package org.crabro.container.document;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts operations under way and their bytes, and turns away those beyond the bounds: the memory
 * of bodies is bounded, however many clients send. One for a process.
 *
 * <p>Of a body above {@value #LARGE_BYTES} bytes each further one counts {@value #LARGE_COST}
 * times: so much of it is there at once while it becomes a row, as characters, as text and as the
 * row's bytes.
 */
public final class Admission {
    /** What a body is taken for whose length is not announced. */
    static final long UNANNOUNCED_BYTES = 64 << 10;

    static final long LARGE_BYTES = 1 << 20;
    static final int LARGE_COST = 6;

    private static final double NANOS_PER_SECOND = 1e9;

    private final int maxOperations;
    private final long maxBytes;
    private final long maxAnswerBytes;
    private final AtomicInteger operations = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong answerBytes = new AtomicLong();
    private final Set<Entry.Admitted> underWay = ConcurrentHashMap.newKeySet();

    public Admission(DocumentSettings settings) {
        this.maxOperations = settings.maxOperations();
        this.maxBytes = settings.maxOperationBytes();
        this.maxAnswerBytes = maxBytes / 2;
    }

    /** What becomes of an operation that wants to go on. */
    sealed interface Entry {
        /** It goes on, and is to be {@linkplain #release released}. */
        final class Admitted implements Entry {
            private final long beginNanos;

            // Only for the thread that reads its body.
            private long counted;

            private Admitted(long counted, long beginNanos) {
                this.counted = counted;
                this.beginNanos = beginNanos;
            }
        }

        /** It is to come again, for this reason. */
        record Refused(String reason) implements Entry {}
    }

    /**
     * Has {@code registry} tell how many operations are under way, their bytes, and since how many
     * seconds the oldest is, under the names that the API has always had; beyond these none waits.
     */
    public void measure(MeterRegistry registry) {
        Gauge.builder("httpapi_queued_operations", operations, AtomicInteger::get)
                .strongReference(true)
                .register(registry);
        Gauge.builder("httpapi_queued_bytes", bytes, AtomicLong::get)
                .strongReference(true)
                .register(registry);
        Gauge.builder("httpapi_queued_age", this, each -> each.age(System.nanoTime()))
                .strongReference(true)
                .register(registry);
    }

    /** Returns for how many seconds the oldest operation is under way; 0 where none is. */
    double age(long nowNanos) {
        long longest = 0;
        for (Entry.Admitted each : underWay) {
            longest = Math.max(longest, nowNanos - each.beginNanos);
        }
        return longest / NANOS_PER_SECOND;
    }

    /**
     * Counts an operation in.
     *
     * @param length of its body, in bytes
     * @param beginNanos when it came, on the scale of {@link System#nanoTime()}
     */
    Entry admit(long length, long beginNanos) {
        long counted = cost(length);
        int others = operations.getAndIncrement();
        long otherBytes = bytes.getAndAdd(counted);
        String reason = "";
        if (others >= maxOperations) {
            reason = "%d requests already enqueued, at most %d".formatted(others, maxOperations);
        } else if (others > 0 && otherBytes + counted > maxBytes) {
            reason = tooMany(otherBytes, counted);
        }
        if (reason.isEmpty()) {
            var admitted = new Entry.Admitted(counted, beginNanos);
            underWay.add(admitted);
            return admitted;
        }
        countOut(counted);
        return new Entry.Refused("overload: " + reason);
    }

    /**
     * Says how long the body of an operation is by now, where that was not announced.
     *
     * @return why it is not to go on, or nothing where it may
     */
    Optional<String> grow(Entry.Admitted operation, long length) {
        long more = cost(length) - operation.counted;
        if (more <= 0) {
            return Optional.empty();
        }
        long others = bytes.getAndAdd(more) - operation.counted;
        operation.counted += more;
        return operations.get() == 1 || others + operation.counted <= maxBytes
                ? Optional.empty()
                : Optional.of("overload: " + tooMany(others, operation.counted));
    }

    private static long cost(long length) {
        return length + Math.max(0, length - LARGE_BYTES) * (LARGE_COST - 1);
    }

    private String tooMany(long others, long more) {
        return "%d bytes of requests already enqueued and %d more, at most %d"
                .formatted(others, more, maxBytes);
    }

    /** Counts an operation out. */
    void release(Entry.Admitted operation) {
        underWay.remove(operation);
        countOut(operation.counted);
    }

    /**
     * Counts in a document that is held until its answer has been taken.
     *
     * @param size of it; small ones are not counted
     * @return why it is not to be answered, or nothing where it may be, and is to be {@linkplain
     *     #letGo let go}
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

    /** Counts a document out that was held. */
    void letGo(long size) {
        if (size > LARGE_BYTES) {
            answerBytes.addAndGet(-size);
        }
    }

    private void countOut(long counted) {
        bytes.addAndGet(-counted);
        operations.decrementAndGet();
    }

    /** Returns how many operations are under way. */
    public int operations() {
        return operations.get();
    }

    /** Returns how many bytes the bodies of operations under way count for. */
    public long bytes() {
        return bytes.get();
    }
}
