package org.crabro.content.storage.replica;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.crabro.content.storage.journal.FileTransfer;

/** A store as its replication sees it: what is copied to and from the replicas of its shards. */
public interface ReplicatedStore {
    /** Returns the numbers of the partitions of a shard. */
    List<Integer> partitions(int shard);

    /** Returns the directories of a replica in the data directory, relative to it. */
    Set<String> directories(int shard);

    /** Flushes recent rows of all partitions to runs. */
    void flush() throws IOException;

    /**
     * Flushes the partitions of a shard, and copies their runs for a new replica, with the types.
     * Reads and writes continue meanwhile.
     *
     * @return the partitions
     */
    List<Integer> export(int shard, FileTransfer transfer) throws IOException;

    /** Changes files of closed partitions. */
    @FunctionalInterface
    interface FileChange {
        /** Changes the files; the store opens them when this returns. */
        void run(ReplicaInstallation.Places places) throws IOException;
    }

    /**
     * Ends the journal of a shard, changes the files of its partitions while they are closed, and
     * opens them again. Rows that are in no run are discarded: the journal passes them again. The
     * other shards go on. Views that are open keep the former files.
     *
     * @param isHere whether the node has a replica of the shard afterwards, whose journal is
     *     started
     * @throws IOException if that failed. Then the partitions stay closed until the next open
     */
    void replace(int shard, FileChange change, boolean isHere) throws IOException;
}
