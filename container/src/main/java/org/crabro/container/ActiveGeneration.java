package org.crabro.container;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Which generation is served now. */
final class ActiveGeneration {
    private final AtomicReference<@Nullable Generation> active = new AtomicReference<>();

    /** Makes {@code generation} the active one and returns the one it replaces. */
    Optional<Generation> replaceWith(Generation generation) {
        return Optional.ofNullable(active.getAndSet(generation));
    }

    /** Makes none active and returns the one that was. */
    Optional<Generation> clear() {
        return Optional.ofNullable(active.getAndSet(null));
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
