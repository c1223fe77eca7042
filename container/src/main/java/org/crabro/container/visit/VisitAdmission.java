package org.crabro.container.visit;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.crabro.container.document.InvalidRequestException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Response;

/**
 * Counts the partitions that visits read concurrently, and rejects visits beyond the bound. So the
 * memory of pages is bounded for any count and speed of clients. A second bound applies to each
 * client. One for a process.
 */
public final class VisitAdmission {
    /** The bytes of larger pages are counted; a page grows this large by its last document only. */
    static final int LARGE_PAGE = 8 << 20;

    private static final int RETRY_SECONDS = 1;

    private final int max;
    private final int maxOfClient;
    private final long maxLargeBytes;
    private final LongAdder refused = new LongAdder();

    /** Partitions that are being read; guarded by this. */
    private int ranges;

    /** The same by client; guarded by this. */
    private final Map<String, Integer> ofClients = new HashMap<>();

    private final AtomicLong largeBytes = new AtomicLong();

    public VisitAdmission(VisitSettings settings) {
        this.max = settings.maxRanges();
        this.maxOfClient = settings.maxRangesOfClient();
        // As much as all other pages may hold, two for each partition.
        this.maxLargeBytes = 2L * settings.maxRanges() * settings.pageBytes();
    }

    /**
     * Adds the bytes of a large page of a visit.
     *
     * @param own bytes of large pages that the visit holds already
     * @return why the page is rejected; empty if it is accepted, and {@link #releaseBytes} must
     *     follow
     */
    Optional<String> hold(long size, long own) {
        long others = largeBytes.getAndAdd(size) - own;
        if (size == 0 || others <= 0 || others + own + size <= maxLargeBytes) {
            return Optional.empty();
        }
        largeBytes.addAndGet(-size);
        return Optional.of(
                "overload: visits under way hold %d bytes of large documents and this one would hold %d more, at most %d"
                        .formatted(others + own, size, maxLargeBytes));
    }

    /** Subtracts the bytes of large pages. */
    void releaseBytes(long size) {
        largeBytes.addAndGet(-size);
    }

    /** The partitions that one visit reads concurrently, until it is closed. */
    final class Share implements AutoCloseable {
        private final String client;
        private final int partitions;

        private Share(String client, int partitions) {
            this.client = client;
            this.partitions = partitions;
        }

        @Override
        public void close() {
            release(client, partitions);
        }
    }

    /**
     * Admits a visit that reads {@code more} partitions concurrently.
     *
     * @param client the client that sent the visit
     * @throws InvalidRequestException with status 429 if a bound is reached
     */
    Share admit(String client, int more) {
        Optional<String> refusal = refuse(client, more);
        if (refusal.isPresent()) {
            refused.increment();
            throw new InvalidRequestException(HttpStatus.TOO_MANY_REQUESTS_429, refusal.get());
        }
        return new Share(client, more);
    }

    /** Returns why a visit is rejected; empty if it is admitted and counted. */
    private synchronized Optional<String> refuse(String client, int more) {
        int own = ofClients.getOrDefault(client, 0);
        // A single visit is always admitted.
        if (ranges > 0 && ranges + more > max) {
            return Optional.of(
                    "overload: visits under way read %d partitions at once and this one would read %d more, at most %d"
                            .formatted(ranges, more, max));
        }
        if (own > 0 && own + more > maxOfClient) {
            return Optional.of(
                    "overload: visits of this client read %d partitions at once and this one would read %d more, at most %d"
                            .formatted(own, more, maxOfClient));
        }
        ranges += more;
        ofClients.put(client, own + more);
        return Optional.empty();
    }

    private synchronized void release(String client, int partitions) {
        ranges -= partitions;
        ofClients.computeIfPresent(client, (_, own) -> own == partitions ? null : own - partitions);
    }

    /** Adds the time after which the client may retry. */
    static void retryLater(Response response) {
        response.getHeaders().put(HttpHeader.RETRY_AFTER, RETRY_SECONDS);
    }

    /** Returns the count of partitions that are being read. */
    public synchronized int ranges() {
        return ranges;
    }

    /** Registers the count of partitions that are read, and that of rejected visits. */
    public void measure(MeterRegistry registry) {
        Gauge.builder("visits.partitions", this, VisitAdmission::ranges)
                .strongReference(true)
                .register(registry);
        FunctionCounter.builder("visits.refused", refused, LongAdder::sum).register(registry);
    }
}
