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
 * Counts the partitions that visits read at once, and turns away visits beyond the bound: what all
 * visits hold of pages is bounded, however many clients read and however slowly. One client cannot
 * take all. One for a process.
 */
public final class VisitAdmission {
    /** A page of more bytes is counted by itself: its last document is so large. */
    static final int LARGE_PAGE = 8 << 20;

    private static final int RETRY_SECONDS = 1;

    private final int max;
    private final int maxOfClient;
    private final long maxLargeBytes;
    private final LongAdder refused = new LongAdder();

    /** Partitions that visits read now; guarded by this. */
    private int ranges;

    /** Of these, those of each client that reads some; guarded by this. */
    private final Map<String, Integer> ofClients = new HashMap<>();

    private final AtomicLong largeBytes = new AtomicLong();

    public VisitAdmission(VisitSettings settings) {
        this.max = settings.maxRanges();
        this.maxOfClient = settings.maxRangesOfClient();
        // As much as the others may hold, of which there are two in each partition.
        this.maxLargeBytes = 2L * settings.maxRanges() * settings.pageBytes();
    }

    /**
     * Counts in what a visit holds of a large page.
     *
     * @param own what it holds of others already
     * @return why it must not; nothing where it may, and then {@link #letGo} follows
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

    /** Counts out what was held of large pages. */
    void letGo(long size) {
        largeBytes.addAndGet(-size);
    }

    /** The partitions that one visit reads at once. Closing it gives them back. */
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
     * Counts a visit in that reads {@code more} partitions at once.
     *
     * @param client the client that sent the visit
     * @throws InvalidRequestException if it must wait
     */
    Share admit(String client, int more) {
        Optional<String> refusal = refuse(client, more);
        if (refusal.isPresent()) {
            refused.increment();
            throw new InvalidRequestException(HttpStatus.TOO_MANY_REQUESTS_429, refusal.get());
        }
        return new Share(client, more);
    }

    /** Returns why a visit must wait; nothing where it goes on, and then it is counted. */
    private synchronized Optional<String> refuse(String client, int more) {
        int own = ofClients.getOrDefault(client, 0);
        // A visit that is alone goes on, whatever it asks for.
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

    /** Says how long who is turned away waits at least. */
    static void retryLater(Response response) {
        response.getHeaders().put(HttpHeader.RETRY_AFTER, RETRY_SECONDS);
    }

    /** Returns how many partitions are being read. */
    public synchronized int ranges() {
        return ranges;
    }

    /** Has {@code registry} tell how many partitions are read, and how many visits were refused. */
    public void measure(MeterRegistry registry) {
        Gauge.builder("visits.partitions", this, VisitAdmission::ranges)
                .strongReference(true)
                .register(registry);
        FunctionCounter.builder("visits.refused", refused, LongAdder::sum).register(registry);
    }
}
