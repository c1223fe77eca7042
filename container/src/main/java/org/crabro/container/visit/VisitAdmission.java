package org.crabro.container.visit;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.container.document.InvalidRequestException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Response;

/**
 * Counts the partitions that visits read at once, and turns away visits beyond the bound: what all
 * visits hold of pages is bounded, however many clients read and however slowly. One for a process.
 */
public final class VisitAdmission {
    /** A page of more bytes is counted by itself: its last document is so large. */
    static final int LARGE_PAGE = 8 << 20;

    private static final int RETRY_SECONDS = 1;

    private final int max;
    private final long maxLargeBytes;
    private final AtomicInteger ranges = new AtomicInteger();
    private final AtomicLong largeBytes = new AtomicLong();

    public VisitAdmission(VisitSettings settings) {
        this.max = settings.maxRanges();
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

    /**
     * Counts a visit in.
     *
     * @return why it must wait; nothing where it may go on, and then {@link #release} follows
     */
    Optional<String> refuse(int more) {
        int seen = ranges.get();
        // A visit that is alone goes on, whatever it asks for.
        while (seen == 0 || seen + more <= max) {
            int found = ranges.compareAndExchange(seen, seen + more);
            if (found == seen) {
                return Optional.empty();
            }
            seen = found;
        }
        return Optional.of(
                "overload: visits under way read %d partitions at once and this one would read %d more, at most %d"
                        .formatted(seen, more, max));
    }

    /**
     * Counts a visit in that reads {@code more} partitions at once, and returns how many to count
     * out.
     *
     * @throws InvalidRequestException if it must wait; {@code response} then says how long
     */
    int admit(int more, Response response) {
        Optional<String> refusal = refuse(more);
        if (refusal.isPresent()) {
            retryLater(response);
            throw new InvalidRequestException(HttpStatus.TOO_MANY_REQUESTS_429, refusal.get());
        }
        return more;
    }

    /** Says how long who is turned away waits at least. */
    static void retryLater(Response response) {
        response.getHeaders().put(HttpHeader.RETRY_AFTER, RETRY_SECONDS);
    }

    /** Counts a visit out that was let in with {@code ranges}. */
    void release(int more) {
        ranges.addAndGet(-more);
    }

    /** Returns how many partitions are being read. */
    public int ranges() {
        return ranges.get();
    }
}
