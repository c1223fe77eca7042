package org.crabro.content.storage.commit;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.crabro.content.storage.commit.Proposal.Outcome;
import org.crabro.document.DocumentType;
import org.crabro.protocol.feed.OperationId;

/**
 * Makes rows durable and orders them. A row is proposed, gets a position, and is applied in the
 * order of positions once it is durable. Rows that a crash can undo are never applied.
 */
public interface Journal extends AutoCloseable {
    /** The most bytes of several rows in one proposal. */
    int PROPOSAL_BYTES = 256 << 10;

    /** Receives durable rows. */
    @FunctionalInterface
    interface Applier {
        /**
         * Makes rows visible. Called by one thread at a time, in the order of positions.
         *
         * @param first position of the first row; the others follow it
         * @param rows encoded; the callee keeps them
         */
        void apply(int partition, long first, List<byte[]> rows);

        /** A term begins: rows that are proposed from now on follow all applied rows. */
        default void begin() {}

        /**
         * Waits until memory has room for the rows of an entry that another replica accepted. A
         * replica that cannot write runs waits until it can, or is closed: its memory has a bound,
         * and the others keep the entries for it.
         */
        default void awaitRoom() {}

        /** Returns the type of rows with a fingerprint; empty if this replica does not have it. */
        default Optional<DocumentType> type(long fingerprint) {
            return Optional.empty();
        }

        /**
         * Stores a type whose rows follow. When this returns, it is durable.
         *
         * @throws java.io.UncheckedIOException if it could not be stored
         */
        default void learn(DocumentType type) {
            throw new UnsupportedOperationException(type.name());
        }
    }

    /** The term of a journal that accepts no rows: another replica does. */
    long NO_TERM = -1;

    /**
     * Returns the current term. A writer that makes a row of what it reads notes the term before it
     * reads. A new term begins when this replica accepts rows again after another one did; it has
     * applied all their rows then. A journal without replicas has one term.
     *
     * @return {@link #NO_TERM} if no rows are accepted
     */
    long term();

    /**
     * Returns a proposal of no rows: its outcome is {@code Applied} once all rows are applied that
     * any replica acknowledged before the call, and {@code NotWritten} if another replica accepts
     * rows.
     */
    Proposal current();

    /**
     * Returns the outcome of an operation that was carried out before, or that may have been; empty
     * if it is to be carried out. A journal without replicas remembers none.
     */
    Optional<Outcome> outcome(OperationId operation);

    /**
     * Proposes rows, which get consecutive positions. Rows of one partition are applied in the
     * order in which they were proposed. If the term has ended, nothing is written.
     *
     * @param whenDone runs once the rows are applied, or will never be
     * @return the proposal; empty if the queue is full and the rows were not proposed
     */
    Optional<Proposal> propose(RowProposal rows, Runnable whenDone);

    /**
     * Runs {@code proposing}, which proposes rows. No other thread proposes rows meanwhile, so that
     * all of them become durable in one batch, if they fit. With a few in one batch and the others
     * in the next, the caller would wait for two forces.
     *
     * @param proposing short, and never waits: no batch starts while it runs
     * @return the result of {@code proposing}
     */
    <T> T together(Supplier<T> proposing);

    /** Returns the position up to which all rows are applied. */
    long applied();

    /** Releases all rows up to {@code position}: each of them is in a run. */
    void release(long position);

    /**
     * Deletes released files: those above the number that is kept for reuse, and those that were
     * released too long ago.
     *
     * @throws IOException if that failed; the caller may retry
     */
    void trim(Instant now) throws IOException;

    /** Returns the approximate bytes of the rows that are not released. */
    long bytes();

    /** Returns the number of rows that wait to be made durable. */
    int waiting();

    /** Returns the number of forces that made rows durable. */
    long forces();

    /** Returns why no row is accepted until the node restarts; empty while the journal works. */
    Optional<String> failure();

    /** Applies all proposed rows, and accepts no more. */
    @Override
    void close();
}
