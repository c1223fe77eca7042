package org.crabro.container.visit;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the partitions that visits read at once, and turns away visits beyond the bound: what all
 * visits hold of pages is bounded, however many clients read and however slowly. One for a process.
 */
public final class VisitAdmission {
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

    /** Counts a visit out that was let in with {@code ranges}. */
    void release(int more) {
        ranges.addAndGet(-more);
    }

    /** Returns how many partitions are being read. */
    public int ranges() {
        return ranges.get();
    }
}
