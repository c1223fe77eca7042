package org.crabro.perf.cluster;

import java.io.IOException;
import java.util.List;

/** Where the servers of a cluster listen. Servers have numbers from 1. */
interface ClusterNetwork extends AutoCloseable {
    /** Returns the IP address of a server. */
    String address(int server);

    /** Returns the command that runs another command where a server is. */
    List<String> inside(int server, List<String> command);

    /** Returns whether links can be cut. */
    boolean hasLinks();

    /** Loses all packets of one server to another, in one direction, until {@link #heal}. */
    void cut(int from, int to) throws IOException, InterruptedException;

    /** Lets all packets pass again. */
    void heal() throws IOException, InterruptedException;

    @Override
    void close();

    /** Servers on the loopback address. */
    record Loopback() implements ClusterNetwork {
        @Override
        public String address(int server) {
            return "127.0.0.1";
        }

        @Override
        public List<String> inside(int server, List<String> command) {
            return command;
        }

        @Override
        public boolean hasLinks() {
            return false;
        }

        @Override
        public void cut(int from, int to) {
            throw new IllegalStateException("the loopback address has no links");
        }

        @Override
        public void heal() {
            // No link is cut.
        }

        @Override
        public void close() {
            // Nothing was made.
        }
    }
}
