package org.crabro.server.cluster;

import java.util.Collections;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.crabro.protocol.cluster.NodeReport;

/**
 * What a server tells the config server several times a second.
 *
 * @param sender who reports
 * @param clusterId the cluster whose data the server has; empty if it has none yet
 * @param generation the application that is active on it, 0 for none
 * @param containerPort where it answers queries, 0 for nowhere
 * @param nodes its content nodes, by the id of their content cluster
 * @param isStopping whether the process is about to end; its nodes should lead nothing
 */
public record HostReport(
        Sender sender,
        String clusterId,
        long generation,
        int containerPort,
        SortedMap<String, NodeReport> nodes,
        boolean isStopping) {
    /**
     * A process that reports.
     *
     * @param host the name by which packages call the server
     * @param process a random number of the process
     * @param formats the versions of formats that it has
     * @param number rises with each report of the process; 0 in those of an older release
     */
    public record Sender(String host, long process, FormatVersions formats, long number) {
        /** A process before its first report. */
        public Sender(String host, long process, FormatVersions formats) {
            this(host, process, formats, 0);
        }

        /** Returns this with the number of a report. */
        Sender numbered(long other) {
            return new Sender(host, process, formats, other);
        }

        /** Returns whether a report of this was sent before another one of the same process. */
        boolean isBefore(Sender other) {
            return process == other.process && number < other.number;
        }
    }

    public HostReport {
        nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
        if (nodes.values().stream().anyMatch(Objects::isNull)) {
            throw new IllegalArgumentException("a content cluster has no report");
        }
    }

    /** A report of a process that goes on. */
    public HostReport(
            Sender sender,
            String clusterId,
            long generation,
            int containerPort,
            SortedMap<String, NodeReport> nodes) {
        this(sender, clusterId, generation, containerPort, nodes, false);
    }

    /** Returns the last report of a process. */
    HostReport ofEnd() {
        return new HostReport(sender, clusterId, generation, containerPort, nodes, true);
    }

    String host() {
        return sender.host();
    }
}
