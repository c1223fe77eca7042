package org.crabro.content.replication.log;

import java.util.Optional;

/**
 * The log of a shard, which its replicas agree on, as one replica sees it. A committed entry is
 * durable on a majority of the replicas, and keeps its index and its term. Terms do not fall from
 * one entry to the next, and each term has one leader at most.
 */
public interface ConsensusLog extends AutoCloseable {
    /** Receives the events of a log. One thread at a time calls it. */
    interface Listener {
        /**
         * An entry is committed. Called in the order of the log. After a restart, entries that were
         * not forgotten are committed again.
         *
         * @param index of the entry, from 1; indexes without an entry of a replica are left out
         * @param term of the leader that appended it
         * @param entry not to be changed
         */
        void committed(long index, long term, byte[] entry);

        /**
         * This replica leads {@code term}, and can append entries. Called again for the same term
         * if the log refused all entries during the call.
         */
        void leads(long term);

        /** This replica does not lead any more. */
        void follows();
    }

    /** Receives the answer to a reader, from any thread. */
    interface Reader {
        /**
         * This replica led during the call.
         *
         * @param index of the last entry of a replica that was committed before the call
         */
        void confirmed(long index);

        /** This replica does not lead. */
        void refused();
    }

    /** Returns what {@link #forget} stored last; empty if it was not called. */
    Optional<byte[]> record();

    /** Starts to call {@code listener}. Called once. */
    void start(Listener listener);

    /**
     * Appends an entry. Never waits. Entries keep their order.
     *
     * @param entry not to be changed any more
     * @return false if this replica does not lead, so that the entry will never be committed.
     *     Otherwise it may be committed or get lost, also after this replica has ceased to lead
     */
    boolean append(byte[] entry);

    /**
     * Asks a majority of the replicas whether this one still leads. Concurrent calls share a
     * message. Without a majority the reader gets no answer.
     */
    void readIndex(Reader reader);

    /**
     * Stores a record durably, then may delete entries: they will not be committed again. Has no
     * effect if a later entry is forgotten.
     *
     * @param index of the last entry that is not needed
     * @param record small
     */
    void forget(long index, byte[] record);

    /** Returns the bytes of the entries that are not forgotten. */
    long bytes();

    /** Returns the number of appended entries. */
    long appended();

    /** Returns why the log accepts no entries until a restart; empty while it works. */
    Optional<String> failure();

    /** Ends. No method of the listener is called after this returns. */
    @Override
    void close();
}
