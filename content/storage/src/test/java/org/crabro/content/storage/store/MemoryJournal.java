package org.crabro.content.storage.store;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.crabro.content.storage.commit.Journal;
import org.crabro.content.storage.commit.Proposal;
import org.crabro.protocol.feed.OperationId;

/** A journal of a test, which has no files and never fails. */
public interface MemoryJournal extends Journal {
    @Override
    default Optional<Proposal.Outcome> outcome(OperationId operation) {
        return Optional.empty();
    }

    @Override
    default <T> T together(Supplier<T> proposing) {
        return proposing.get();
    }

    @Override
    default void release(long position) {}

    @Override
    default void trim(Instant now) {}

    @Override
    default long bytes() {
        return 0;
    }

    @Override
    default int waiting() {
        return 0;
    }

    @Override
    default long forces() {
        return 0;
    }

    @Override
    default Optional<String> failure() {
        return Optional.empty();
    }

    @Override
    default void close() {}
}
