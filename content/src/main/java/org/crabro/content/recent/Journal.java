package org.crabro.content.recent;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Makes rows durable and puts them in an order: a row is proposed, gets a position, and is applied
 * in the order of positions once it is durable. Nothing is applied that a crash can take back.
 */
public interface Journal extends AutoCloseable {
    /** The most bytes of several rows that are proposed at once. */
    int PROPOSAL_BYTES = 256 << 10;

    /** Takes rows that are durable. */
    @FunctionalInterface
    interface Applier {
        /**
         * Makes rows visible. Called by one thread at a time, in the order of positions.
         *
         * @param first position of the first row; the others follow on
         * @param rows encoded; the callee keeps them
         */
        void apply(int partition, long first, List<byte[]> rows);
    }

    /**
     * Proposes rows, which get positions one behind the other. Rows of one partition are applied in
     * the order in which they were proposed.
     *
     * @param rows encoded, not to be changed any more; at least one, and no more than {@link
     *     #PROPOSAL_BYTES} unless there is one only
     * @param whenDone runs once the rows are applied, or will never be
     * @return what becomes of them, or nothing where too much is waiting and nothing was done
     */
    Optional<Proposal> propose(int partition, List<byte[]> rows, Runnable whenDone);

    /**
     * Runs something that proposes rows, and nobody else does meanwhile: they are made durable
     * together, as far as a batch has room. A few in one batch and the others in the next would be
     * two forces to wait for.
     *
     * @param proposing to be short, and to wait for nothing: no batch begins while it runs
     * @return what that returns
     */
    <T> T together(Supplier<T> proposing);

    /** Returns the position up to which every row is applied. */
    long applied();

    /** Says that no row up to {@code position} is needed any more: each is in a run. */
    void release(long position);

    /**
     * Deletes released files: those above the number that is kept for reuse, and those that were
     * released too long ago.
     *
     * @throws IOException if that failed; it may be tried again
     */
    void trim(Instant now) throws IOException;

    /** Returns the bytes of the rows that are not released, about. */
    long bytes();

    /** Returns how many rows wait to be made durable. */
    int waiting();

    /** Returns how often something was forced to make rows durable. */
    long forces();

    /** Returns why no row is taken any more until the node starts again; empty while it works. */
    Optional<String> failure();

    /** Applies what was proposed, and takes no more. */
    @Override
    void close();
}
