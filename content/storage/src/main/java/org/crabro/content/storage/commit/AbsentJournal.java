package org.crabro.content.storage.commit;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.crabro.protocol.feed.OperationId;

/** The journal of a shard that has no replica here: other nodes accept its rows. */
public final class AbsentJournal implements Journal {
    @Override
    public long term() {
        return NO_TERM;
    }

    @Override
    public Proposal current() {
        var current = new Proposal();
        boolean _ = current.complete(new Proposal.Outcome.NotWritten());
        return current;
    }

    @Override
    public Optional<Proposal.Outcome> outcome(OperationId operation) {
        return Optional.empty();
    }

    @Override
    public Optional<Proposal> propose(RowProposal rows, Runnable whenDone) {
        Proposal proposal = current();
        whenDone.run();
        return Optional.of(proposal);
    }

    @Override
    public <T> T together(Supplier<T> proposing) {
        return proposing.get();
    }

    @Override
    public long applied() {
        return 0;
    }

    @Override
    public void release(long position) {
        // There are no rows.
    }

    @Override
    public void trim(Instant now) {
        // There are no files.
    }

    @Override
    public long bytes() {
        return 0;
    }

    @Override
    public int waiting() {
        return 0;
    }

    @Override
    public long forces() {
        return 0;
    }

    @Override
    public Optional<String> failure() {
        return Optional.empty();
    }

    @Override
    public void close() {
        // It was never open.
    }
}
