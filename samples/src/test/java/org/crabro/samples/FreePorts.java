package org.crabro.samples;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that must know them before they start.
 *
 * <p>They lie below the ports that a system gives to port 0 and to outgoing connections, so that no
 * server of another test gets one in between.
 */
final class FreePorts {
    private static final int FIRST = 10_000;
    private static final int END = 30_000;

    private FreePorts() {}

    /** Returns a port on which nothing listens. */
    static int one() throws IOException {
        return several(1).getFirst();
    }

    /** Returns different ports on which nothing listens, in ascending order. */
    static List<Integer> several(int count) throws IOException {
        var found = new TreeSet<Integer>();
        while (found.size() < count) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            if (isFree(port)) {
                found.add(port);
            }
        }
        return List.copyOf(found);
    }

    private static boolean isFree(int port) throws IOException {
        try (var _ = new ServerSocket(port)) {
            return true;
        } catch (BindException _) {
            return false;
        }
    }
}
