package org.crabro.server.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.crabro.config.services.Topology;
import org.crabro.config.services.Topology.ContentNodes;
import org.crabro.protocol.cluster.ClusterState;
import org.crabro.protocol.cluster.ClusterState.Wanted;
import org.crabro.protocol.cluster.NodeReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a config server knows and decides about its cluster: which hosts report, where the replicas
 * should be, and which application should be active. It writes each decision to a file before it
 * tells anybody. Safe for use by many threads.
 */
public final class ClusterController {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterController.class);

    /** A host that has not reported for this long is down. */
    static final Duration SILENCE = Duration.ofSeconds(3);

    /** A node whose clock differs by more from that of the config server leads nothing. */
    static final Duration CLOCK_DIFFERENCE_MAX = Duration.ofSeconds(10);

    /** The number of shards of a content cluster. */
    static final int SHARDS = 8;

    /** The most hosts of a cluster; others are refused. */
    static final int HOSTS_MAX = 1_000;

    private final String ownHost;
    private final JsonValueFile file;
    private final LongSupplier nanoTime;
    private final InstantSource clock;
    private final Map<String, Heard> heard = new HashMap<>();
    private final long openedNanos;
    private ClusterRecord record;
    private Topology topology = Topology.NONE;
    private long generation;

    /** The last report of a host, and when it came. */
    private record Heard(HostReport report, long nanos, long millis) {
        boolean isMistimed(NodeReport report) {
            return Math.abs(report.load().clockMillis() - millis) > CLOCK_DIFFERENCE_MAX.toMillis();
        }
    }

    private ClusterController(
            String ownHost,
            JsonValueFile file,
            LongSupplier nanoTime,
            InstantSource clock,
            ClusterRecord record) {
        this.ownHost = ownHost;
        this.file = file;
        this.nanoTime = nanoTime;
        this.clock = clock;
        this.record = record;
        this.openedNanos = nanoTime.getAsLong();
    }

    /**
     * Opens the record of a cluster, or begins a new cluster.
     *
     * @param path of the file
     * @param ownHost the host of the config server; it has the clusters of packages without hosts
     * @param nanoTime as {@link System#nanoTime()}
     * @param clock is compared with those of the nodes
     * @throws IOException if the file cannot be read or written
     */
    public static ClusterController open(
            Path path, String ownHost, LongSupplier nanoTime, InstantSource clock)
            throws IOException {
        var file = new JsonValueFile(path);
        Optional<ClusterRecord> known = file.read(ClusterRecord.class);
        ClusterRecord record =
                known.isPresent() ? known.get() : ClusterRecord.of(UUID.randomUUID().toString());
        if (known.isEmpty()) {
            file.write(record);
        }
        return new ClusterController(ownHost, file, nanoTime, clock, record);
    }

    /** Returns the name of the cluster, which its data directories keep. */
    public synchronized String clusterId() {
        return record.clusterId();
    }

    /**
     * Returns the hosts of a package that have never reported.
     *
     * @param packaged the hosts as the package names them
     */
    public synchronized SortedSet<String> unknownHosts(Topology packaged) {
        Topology all = packaged.on(ownHost);
        var missing = new TreeSet<String>();
        all.containers().values().forEach(missing::addAll);
        all.contents()
                .values()
                .forEach(nodes -> nodes.nodes().values().forEach(host -> missing.add(host.name())));
        missing.removeAll(record.hosts());
        return missing;
    }

    /**
     * Makes a package the one that should be active.
     *
     * @param packaged the hosts as the package names them
     * @throws IOException if the decision could not be recorded; then nothing has changed
     */
    public synchronized void activate(long active, Topology packaged) throws IOException {
        Topology before = topology;
        topology = packaged.on(ownHost);
        try {
            decide();
        } catch (IOException e) {
            topology = before;
            throw e;
        }
        generation = active;
    }

    /** Makes no package the one that should be active; replicas stay where they are. */
    public synchronized void deactivate() {
        topology = Topology.NONE;
        generation = 0;
    }

    /** Returns the number of the application that should be active, 0 for none. */
    public synchronized long generation() {
        return generation;
    }

    /** Returns the hosts of all clusters of the active package. */
    public synchronized Topology topology() {
        return topology;
    }

    /** Returns the states of the content clusters, by id. */
    public synchronized SortedMap<String, ClusterState> states() {
        return record.states();
    }

    /**
     * Takes the report of a host.
     *
     * @throws IOException if what follows from it could not be recorded
     */
    public synchronized ConfigReply report(HostReport report) throws IOException {
        Optional<String> refusal = refusal(report);
        if (refusal.isPresent()) {
            return new ConfigReply(refusal.get(), record.clusterId(), 0, new TreeMap<>());
        }
        warnOfClock(report);
        heard.put(report.host(), new Heard(report, nanoTime.getAsLong(), clock.millis()));
        decide();
        return new ConfigReply("", record.clusterId(), generation, record.states());
    }

    private void warnOfClock(HostReport report) {
        for (NodeReport node : report.nodes().values()) {
            Heard before = heard.get(report.host());
            boolean wasWrong =
                    before != null
                            && before.report.nodes().values().stream().anyMatch(before::isMistimed);
            long difference = node.load().clockMillis() - clock.millis();
            if (!wasWrong && Math.abs(difference) > CLOCK_DIFFERENCE_MAX.toMillis()) {
                LOG.warn(
                        "the clock of host '{}' differs by {} ms: it leads nothing",
                        report.host(),
                        difference);
            }
        }
    }

    private Optional<String> refusal(HostReport report) {
        if (!report.clusterId().isEmpty() && !report.clusterId().equals(record.clusterId())) {
            return Optional.of(
                    "the data directory of host '%s' belongs to cluster %s, but this is cluster %s"
                            .formatted(report.host(), report.clusterId(), record.clusterId()));
        }
        Heard other = heard.get(report.host());
        if (other != null && other.report.process() != report.process() && !isSilent(other)) {
            return Optional.of(
                    "another process reports as host '%s'; give each its own --host"
                            .formatted(report.host()));
        }
        if (other == null && heard.size() >= HOSTS_MAX) {
            return Optional.of("the cluster has %d hosts, which is the limit".formatted(HOSTS_MAX));
        }
        return Optional.empty();
    }

    private boolean isSilent(Heard each) {
        return nanoTime.getAsLong() - each.nanos > SILENCE.toNanos();
    }

    /**
     * Decides again, because time has passed.
     *
     * @throws IOException if the decision could not be recorded
     */
    public synchronized void look() throws IOException {
        decide();
    }

    /**
     * Begins or ends the maintenance of a host.
     *
     * @return false if the host has never reported
     * @throws IOException if that could not be recorded
     */
    public synchronized boolean maintain(String host, boolean begins) throws IOException {
        if (!record.hosts().contains(host)) {
            return false;
        }
        var maintained = new TreeSet<>(record.maintenance());
        if (begins ? maintained.add(host) : maintained.remove(host)) {
            write(
                    new ClusterRecord(
                            record.clusterId(), record.hosts(), maintained, record.states()));
            decide();
        }
        return true;
    }

    private void decide() throws IOException {
        var hosts = new TreeSet<>(record.hosts());
        hosts.addAll(heard.keySet());
        var states = new TreeMap<>(record.states());
        if (isInformed()) {
            topology.contents()
                    .keySet()
                    .forEach(id -> states.computeIfAbsent(id, _ -> ClusterState.empty(SHARDS)));
            states.replaceAll(this::next);
        }
        var next = new ClusterRecord(record.clusterId(), hosts, record.maintenance(), states);
        if (!next.equals(record)) {
            write(next);
        }
    }

    /** Returns whether a host that has not reported is down: not so just after the start. */
    private boolean isInformed() {
        return nanoTime.getAsLong() - openedNanos > SILENCE.toNanos()
                || heard.keySet().containsAll(record.hosts());
    }

    private ClusterState next(String id, ClusterState before) {
        ContentNodes wanted =
                topology.contents().getOrDefault(id, new ContentNodes(1, new TreeMap<>()));
        var capacities = new TreeMap<Integer, Double>();
        wanted.nodes()
                .forEach((key, host) -> {
                    if (!host.isRetired()) {
                        capacities.put(key, host.capacity());
                    }
                });
        Map<Integer, NodeReport> reports = new HashMap<>();
        Set<Integer> silent = new HashSet<>();
        Set<Integer> maintained = new HashSet<>();
        for (Heard each : heard.values()) {
            NodeReport report = each.report.nodes().get(id);
            if (report != null) {
                reports.put(report.node(), report);
                if (isSilent(each)) {
                    silent.add(report.node());
                }
                if (record.maintenance().contains(each.report.host()) || each.isMistimed(report)) {
                    maintained.add(report.node());
                }
            }
        }
        return before.next(
                new Wanted(wanted.redundancy(), capacities, maintained), reports, silent);
    }

    private void write(ClusterRecord next) throws IOException {
        file.write(next);
        record = next;
    }

    /** Returns the last report of each content node of a cluster, by distribution key. */
    public synchronized SortedMap<Integer, NodeReport> reports(String cluster) {
        var reports = new TreeMap<Integer, NodeReport>();
        for (Heard each : heard.values()) {
            NodeReport report = each.report.nodes().get(cluster);
            if (report != null && !isSilent(each)) {
                reports.put(report.node(), report);
            }
        }
        return reports;
    }

    /** Returns the hosts that report, and those that have, by name. */
    public synchronized List<KnownHost> hosts() {
        List<KnownHost> all = new ArrayList<>();
        for (String host : record.hosts()) {
            Heard last = heard.get(host);
            boolean isUp = last != null && !isSilent(last);
            all.add(
                    new KnownHost(
                            host,
                            isUp,
                            record.maintenance().contains(host),
                            last == null ? 0 : last.report.generation(),
                            last == null ? 0 : last.report.containerPort()));
        }
        return all;
    }

    /**
     * A host of the cluster.
     *
     * @param isUp whether it reports
     * @param isMaintained whether an operator works on it
     * @param generation the application that is active on it, as it last reported; 0 for none
     * @param containerPort where it answers queries, as it last reported; 0 for nowhere
     */
    public record KnownHost(
            String name, boolean isUp, boolean isMaintained, long generation, int containerPort) {}
}
