package org.crabro.container.admin;

import java.time.Duration;

/** Writes everything that a node holds in memory into files and merges them, while it serves. */
public interface DataSettling {
    /**
     * Work that is not done.
     *
     * @param recentBytes memory of documents that are in no file yet
     * @param unmergedPartitions partitions in which a merge is due or runs
     */
    record Backlog(long recentBytes, int unmergedPartitions) {}

    /** The end of an attempt. */
    sealed interface Reply {
        /** Everything acknowledged before is in files, and no merge was due at the end. */
        record Settled() implements Reply {}

        /** The time is over, and merges are due. */
        record TimedOut() implements Reply {}

        /**
         * A flush or a merge failed.
         *
         * @param problem why
         */
        record Failed(String problem) implements Reply {}
    }

    /**
     * Flushes everything that was acknowledged before, then merges until no merge is due. Called by
     * one thread at a time.
     *
     * @param timeout begins no merge step after it
     */
    Reply settle(Duration timeout);

    /** Returns the work that is not done now. */
    Backlog backlog();
}
