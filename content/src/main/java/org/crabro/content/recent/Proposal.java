package org.crabro.content.recent;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.crabro.protocol.wire.Deadline;

/** Rows of one partition on their way through the journal. */
public final class Proposal {
    /** What became of a proposal. */
    public sealed interface Outcome {
        /**
         * The rows are durable and visible.
         *
         * @param position of the first; the others follow on
         */
        record Applied(long position) implements Outcome {}

        /** The journal failed; the rows may be found after a restart, or not. */
        record Failed(String reason) implements Outcome {}

        /** Nothing is known yet, and the time is over. */
        record TimedOut() implements Outcome {}
    }

    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

    /** Tells whoever waits. Only the first call counts: returns whether this was it. */
    public boolean complete(Outcome reached) {
        return outcome.complete(reached);
    }

    /** Waits for the outcome until {@code deadline}. */
    public Outcome await(Deadline deadline) {
        try {
            return outcome.get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            return new Outcome.TimedOut();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new Outcome.TimedOut();
        } catch (ExecutionException e) {
            throw new IllegalStateException("outcomes are never exceptions", e);
        }
    }
}
