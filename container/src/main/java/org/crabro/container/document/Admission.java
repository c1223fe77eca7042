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
 * Counts operations under way and their bytes, and turns away those beyond the bounds: the memory
 * of bodies is bounded, however many clients send. One for a process.
 *
 * <p>Of a body above {@value #LARGE_BYTES} bytes each further one counts {@value #LARGE_COST}
 * times: so much of it is there at once while it becomes a row, as characters, as text and as the
 * row's bytes.
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
     * Has {@code registry} tell how many operations are under way, their bytes, and since how many
     * seconds the oldest is, under the names that the API has always had; beyond these none waits.
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
     * Counts an operation in, of whose body nothing has been received.
     *
     * @param announced length of its body, in bytes; a negative number where none is
     * @param beginNanos when it came, on the scale of {@link System#nanoTime()}
     * @return to be closed when the operation is done
     * @throws BodyRefusedException if it is to come again
     */
    public BodyMemory.Share admit(long announced, long beginNanos) {
        bodies.announce(cost(announced));
        return bodies.enter(beginNanos);
    }

    /**
     * Says how long the body of an operation is by now.
     *
     * @throws BodyRefusedException if it is not to go on
     */
    static void grow(BodyMemory.Share operation, long length) {
        operation.receive(cost(length));
    }

    private static long cost(long length) {
        return length + Math.max(0, length - LARGE_BYTES) * (LARGE_COST - 1);
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

    /** Returns how many operations are under way. */
    public int operations() {
        return bodies.count();
    }

    /** Returns how many bytes the bodies of operations under way count for. */
    public long bytes() {
        return bodies.bytes();
    }
}
