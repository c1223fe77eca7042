package org.crabro.content.replication.raft.patch;

import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.AwaitToRun;

/**
 * The thread of a log that drops cached entries. When Ratis 3.3.0 closes a log, it holds the lock
 * of the log and waits for this thread. If the thread waits for the lock at this moment, because a
 * new leader's first entry has come, both wait for ever. Here the thread is ended before, without
 * the lock. The log works without it, and keeps all its entries in memory.
 */
public final class CacheEviction {
    private static final String LOG = "org.apache.ratis.server.raftlog.segmented.SegmentedRaftLog";

    private final PrivateField<AwaitToRun> thread;

    private CacheEviction(PrivateField<AwaitToRun> thread) {
        this.thread = thread;
    }

    /**
     * Looks up the field.
     *
     * @throws IllegalStateException if it is not there
     */
    static CacheEviction lookUp() {
        return new CacheEviction(PrivateField.of(LOG, "cacheEviction", AwaitToRun.class));
    }

    /** Ends the thread of a group that is to be closed. */
    public void end(RaftServer.Division division) {
        thread.in(division.getRaftLog()).close();
    }
}
