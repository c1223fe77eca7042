package org.crabro.container;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The generation that is active. */
final class ActiveGeneration {
    private final AtomicReference<@Nullable Generation> active = new AtomicReference<>();

    /** Retired generations that are still in use. */
    private final AtomicInteger ending = new AtomicInteger();

    /** Makes {@code generation} the active one, and retires the one it replaces. */
    void replaceWith(Generation generation) {
        swap(generation);
    }

    /** Retires the active generation; none is active then. */
    void clear() {
        swap(null);
    }

    private void swap(@Nullable Generation next) {
        // Counted before the next generation is visible, so that its users wait for this one.
        ending.incrementAndGet();
        Generation old = active.getAndSet(next);
        if (old == null) {
            ending.decrementAndGet();
        } else {
            old.retire(ending::decrementAndGet);
        }
    }

    /** Returns whether all requests of earlier generations have ended. */
    boolean isAlone() {
        return ending.get() == 0;
    }

    /** Returns the number of the active generation, 0 for none. */
    long number() {
        Generation generation = active.get();
        return generation == null ? 0 : generation.number();
    }

    /** Acquires the active generation for a request, which must release it. */
    Optional<Generation> acquire() {
        Generation generation = active.get();
        while (generation != null && !generation.acquire()) {
            generation = active.get();
        }
        return Optional.ofNullable(generation);
    }
}
