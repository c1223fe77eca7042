package org.crabro.content.storage.commit;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.crabro.protocol.wire.Deadline;

/** Rows of one partition that the journal is making durable. */
public final class Proposal {
    /** The outcome of a proposal. */
    public sealed interface Outcome {
        /** Returns the outcome of the row that is {@code rows} rows after the first one. */
        default Outcome after(int rows) {
            return this instanceof Applied(long position) ? new Applied(position + rows) : this;
        }

        /**
         * The rows are durable and visible.
         *
         * @param position of the first row; the others follow it
         */
        record Applied(long position) implements Outcome {}

        /**
         * The operation was carried out when it was sent before; this time nothing was written.
         *
         * @param timestamp of the row
         * @param position of the row
         */
        record AppliedBefore(long timestamp, long position) implements Outcome {}

        /**
         * The rows have different outcomes, because some of their operations were sent before.
         *
         * @param rows the outcome of each row, as if it were proposed alone
         */
        record Each(List<Outcome> rows) implements Outcome {
            public Each {
                rows = List.copyOf(rows);
            }
        }

        /** The operation may have been carried out when it was sent before. */
        record Forgotten() implements Outcome {}

        /** The journal failed; the rows may or may not exist after a restart. */
        record Failed(String reason) implements Outcome {}

        /** The rows are not written and never will be: another replica accepts rows. */
        record NotWritten() implements Outcome {}

        /** The deadline passed before the outcome was known. */
        record TimedOut() implements Outcome {}
    }

    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

    /**
     * Sets the outcome and wakes the waiting threads. Only the first call has an effect; it returns
     * true.
     */
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
