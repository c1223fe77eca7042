package org.crabro.perf.cluster;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that must know them before they start. They are below those that a system gives
 * to port 0, so that no other process gets one in between.
 */
final class ServerPorts {
    private static final int FIRST = 10_000;

    /** The end of the ports, exclusive. */
    static final int END = 25_000;

    private ServerPorts() {}

    /** Returns different ports on which nothing listens. */
    static List<Integer> free(int count) throws IOException {
        Set<Integer> ports = new LinkedHashSet<>();
        while (ports.size() < count) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            if (isFree(port)) {
                ports.add(port);
            }
        }
        return List.copyOf(ports);
    }

    private static boolean isFree(int port) throws IOException {
        try (var _ = new ServerSocket(port)) {
            return true;
        } catch (BindException _) {
            return false;
        }
    }
}
