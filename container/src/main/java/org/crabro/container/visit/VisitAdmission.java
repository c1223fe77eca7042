package org.crabro.container.visit;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.crabro.container.document.InvalidRequestException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Response;

/**
 * Counts the partitions that visits read at once, and turns away visits beyond the bound: what all
 * visits hold of pages is bounded, however many clients read and however slowly. One for a process.
 */
public final class VisitAdmission {
    private static final int RETRY_SECONDS = 1;

    private final int max;
    private final AtomicInteger ranges = new AtomicInteger();

    public VisitAdmission(VisitSettings settings) {
        this.max = settings.maxRanges();
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
