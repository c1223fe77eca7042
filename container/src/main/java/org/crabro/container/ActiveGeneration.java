package org.crabro.container;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Which generation is served now. */
final class ActiveGeneration {
    private final AtomicReference<@Nullable Generation> active = new AtomicReference<>();

    /** Generations that are retired and still used. */
    private final AtomicInteger ending = new AtomicInteger();

    /** Makes {@code generation} the active one, and retires the one it replaces. */
    void replaceWith(Generation generation) {
        swap(generation);
    }

    /** Makes none active, and retires the one that was. */
    void clear() {
        swap(null);
    }

    private void swap(@Nullable Generation next) {
        // Counted before anybody can see the next one, who might find nothing to wait for.
        ending.incrementAndGet();
        Generation old = active.getAndSet(next);
        if (old == null) {
            ending.decrementAndGet();
        } else {
            old.retire(ending::decrementAndGet);
        }
    }

    /**
     * Returns whether no request is under way any more that came in under an earlier generation.
     */
    boolean isAlone() {
        return ending.get() == 0;
    }

    /** Returns the number of the active generation, 0 for none. */
    long number() {
        Generation generation = active.get();
        return generation == null ? 0 : generation.number();
    }

    /** Counts a request in to the active generation, which must be released in the end. */
    Optional<Generation> acquire() {
        Generation generation = active.get();
        while (generation != null && !generation.acquire()) {
            generation = active.get();
        }
        return Optional.ofNullable(generation);
    }
}
