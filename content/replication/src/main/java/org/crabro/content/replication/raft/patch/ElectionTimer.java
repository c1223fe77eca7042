package org.crabro.content.replication.raft.patch;

import java.io.IOException;
import java.time.Duration;
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
public final class ElectionTimer {
    /** Ratis gives these threads names that end with the name of their class. */
    private static final String CLASS = "FollowerState";

    /** How long the end of a thread may take. It ends its sleep at once. */
    private static final Duration END_PATIENCE = Duration.ofSeconds(20);

    /** How many threads of a replica may start while they are counted. */
    private static final int MORE = 16;

    private ElectionTimer() {}

    /**
     * Checks that Ratis has the class of these threads.
     *
     * @throws IllegalStateException if it has not
     */
    static void check() {
        Class<?> _ = PrivateField.classOf("org.apache.ratis.server.impl." + CLASS);
    }

    /**
     * Ends the thread of a replica that has been started, if it is a listener. Until this returns,
     * messages of others must be refused, because they can change the role.
     *
     * @throws IOException if the thread has not ended in time
     */
    public static void endForListener(RaftServer.Division division) throws IOException {
        if (!division.getInfo().isListener()) {
            return;
        }
        try {
            for (Thread each : threads(division)) {
                each.interrupt();
                if (!each.join(END_PATIENCE)) {
                    throw new IOException("%s has not ended".formatted(each.getName()));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Returns the threads of a replica that have not ended. */
    public static List<Thread> threads(RaftServer.Division division) {
        ThreadGroup all = division.getThreadGroup();
        var running = new Thread[all.activeCount() + MORE];
        int count = all.enumerate(running);
        return Stream.of(running)
                .limit(count)
                .filter(each -> each.getName().endsWith("-" + CLASS))
                .toList();
    }
}
