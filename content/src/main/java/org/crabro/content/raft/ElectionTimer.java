package org.crabro.content.raft;

import java.util.List;
import java.util.stream.Stream;
import org.apache.ratis.server.RaftServer;

/**
 * The thread of a replica that waits for the time to stand for election. A listener has one too,
 * although it never stands. When Ratis 3.3.0 makes a listener a voter, it holds the lock of the
 * replica and waits for the end of this thread. If the thread waits for the lock at this moment,
 * because its time has come, both wait for ever. Here the thread of a listener is ended when the
 * replica starts. A voter gets a new one.
 */
final class ElectionTimer {
    /** The end of the names that Ratis gives to these threads. */
    private static final String NAME = "-FollowerState";

    /** How many threads of a replica may start while they are counted. */
    private static final int MORE = 16;

    private ElectionTimer() {}

    /** Ends the thread of a replica that has just started, if it is a listener. */
    static void endForListener(RaftServer.Division division) {
        // The lock under which Ratis changes the role: a voter keeps its thread.
        synchronized (division) {
            if (division.getInfo().isListener()) {
                threads(division).forEach(Thread::interrupt);
            }
        }
    }

    /** Returns the threads of a replica that have not ended. */
    static List<Thread> threads(RaftServer.Division division) {
        ThreadGroup all = division.getThreadGroup();
        var found = new Thread[all.activeCount() + MORE];
        int count = all.enumerate(found);
        return Stream.of(found).limit(count).filter(each -> each.getName().endsWith(NAME)).toList();
    }
}
