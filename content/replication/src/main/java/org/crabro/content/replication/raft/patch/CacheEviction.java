package org.crabro.content.replication.raft;

import java.lang.reflect.Field;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.raftlog.segmented.SegmentedRaftLog;
import org.apache.ratis.util.AwaitToRun;

/**
 * The thread of a log that drops cached entries. When Ratis 3.3.0 closes a log, it holds the lock
 * of the log and waits for this thread. If the thread waits for the lock at this moment, because a
 * new leader's first entry has come, both wait for ever. Here the thread is ended before, without
 * the lock. The log works without it, and keeps all its entries in memory.
 */
final class CacheEviction {
    private static final Field THREAD = field();

    private CacheEviction() {}

    private static Field field() {
        try {
            Field field = SegmentedRaftLog.class.getDeclaredField("cacheEviction");
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException("another release of Ratis", e);
        }
    }

    /** Ends the thread of a group that is to be closed. */
    static void end(RaftServer.Division division) {
        RaftLog log = division.getRaftLog();
        try {
            ((AwaitToRun) THREAD.get(log)).close();
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("the field is accessible", e);
        }
    }
}
