package org.crabro.server.cluster;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
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
import java.util.function.LongSupplier;
import org.crabro.config.services.Topology;
import org.crabro.config.services.Topology.ContentHost;
import org.crabro.config.services.Topology.ContentNodes;
import org.crabro.protocol.cluster.ClusterState;
import org.crabro.protocol.cluster.ClusterState.Wanted;
import org.crabro.protocol.cluster.NodeReport;
import org.crabro.protocol.cluster.Replica;
import org.crabro.server.cluster.ClusterRecord.RecordedHosts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a config server knows and decides about its cluster: which hosts report, where the replicas
 * should be, and which application should be active. It writes each decision to the record of the
 * cluster before any host gets it. Safe for use by many threads.
 *
 * <p>Reports, orders and ticks are processed under one lock.
 */
public final class ClusterController {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterController.class);

    /** A host that has not reported for this long is down. */
    static final Duration SILENCE = Duration.ofSeconds(3);

    /** A node whose clock differs by more from that of the config server leads nothing. */
    static final Duration CLOCK_DIFFERENCE_MAX = Duration.ofSeconds(10);

    /**
     * A host that no package names any more gets decisions for so long, once it has no replicas: it
     * deletes its files by them.
     */
    static final Duration LEAVING = Duration.ofMinutes(10);

    /** The number of shards of a content cluster. */
    static final int SHARDS = 8;

    /** The most hosts that report and that no package names; others are refused. */
    static final int HOSTS_MAX = 1_000;

    private final List<String> configServers;
    private final RecordStore store;
    private final LongSupplier nanoTime;
    private final InstantSource clock;
    private final Map<String, Heard> heard = new HashMap<>();

    /** When hosts with content nodes were found to be of the cluster no more. */
    private final Map<String, Long> leaving = new HashMap<>();

    private final long openedNanos;
    private ClusterRecord record;
    private Topology topology = Topology.NONE;

    /** The last report of a host, and when it came. */
    private record Heard(HostReport report, long nanos, long millis) {
        boolean isMistimed(NodeReport report) {
            return Math.abs(report.load().clockMillis() - millis) > CLOCK_DIFFERENCE_MAX.toMillis();
        }
    }

    private ClusterController(
            List<String> configServers,
            RecordStore store,
            LongSupplier nanoTime,
            InstantSource clock) {
        this.configServers = List.copyOf(configServers);
        this.store = store;
        this.nanoTime = nanoTime;
        this.clock = clock;
        this.record = store.record();
        this.openedNanos = nanoTime.getAsLong();
    }

    /**
     * Continues by the record of a cluster.
     *
     * @param configServers their hosts. The first one has the clusters of packages without hosts
     * @param nanoTime as {@link System#nanoTime()}
     * @param clock is compared with those of the nodes
     */
    static ClusterController open(
            RecordStore store,
            List<String> configServers,
            LongSupplier nanoTime,
            InstantSource clock) {
        return new ClusterController(configServers, store, nanoTime, clock);
    }

    /**
     * Returns the hosts of the cluster: the config servers, those that the active package names,
     * and those that still have replicas, or have had some lately. Other hosts may report, so that
     * a package can name them. They get no decisions.
     */
    public synchronized SortedSet<String> members() {
        return members(record.states());
    }

    private SortedSet<String> members(Map<String, ClusterState> states) {
        var members = new TreeSet<>(configServers);
        if (hasPackage()) {
            members.addAll(topology.hosts());
            members.addAll(hosts(topology));
            states.forEach((id, state) ->
                    state.replicas()
                            .filter(each -> !isPackaged(id, each.node()))
                            .map(each -> Replica.hostOf(each.peer()))
                            .filter(host -> record.hosts().has(host))
                            .forEach(members::add));
            leaving.keySet().removeAll(members);
            record.hosts().formats().keySet().stream()
                    .filter(host -> !members.contains(host) && isLeaving(host))
                    .toList()
                    .forEach(members::add);
        } else {
            // Those of the package that was active.
            members.addAll(record.hosts().formats().keySet());
        }
        return members;
    }

    /** Returns whether a former host still has content nodes that should end. */
    private boolean isLeaving(String host) {
        Heard last = heard.get(host);
        if (last == null) {
            return !isInformed();
        }
        long now = nanoTime.getAsLong();
        return !last.report.nodes().isEmpty()
                && !isSilent(last)
                && now - leaving.computeIfAbsent(host, _ -> now) < LEAVING.toNanos();
    }

    private boolean isPackaged(String cluster, int node) {
        ContentNodes nodes = topology.contents().get(cluster);
        return nodes != null && nodes.nodes().containsKey(node);
    }

    private boolean hasPackage() {
        return record.packages().active().isEmpty() || !topology.equals(Topology.NONE);
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
        var missing = new TreeSet<>(hosts(packaged.on(configServers.getFirst())));
        missing.removeAll(record.hosts().formats().keySet());
        missing.removeAll(heard.keySet());
        return missing;
    }

    /**
     * Returns why a package cannot give its nodes their distribution keys: a node with the same key
     * reports from another host. Empty if there is none.
     *
     * @param packaged the hosts as the package names them
     */
    synchronized Optional<String> takenKey(Topology packaged) {
        for (Map.Entry<String, ContentNodes> content :
                packaged.on(configServers.getFirst()).contents().entrySet()) {
            for (Map.Entry<Integer, ContentHost> node : content.getValue().nodes().entrySet()) {
                for (Heard each : heardMembers()) {
                    NodeReport report = each.report.nodes().get(content.getKey());
                    if (report != null
                            && report.node() == node.getKey()
                            && !each.report.host().equals(node.getValue().name())
                            && !isSilent(each)) {
                        return Optional.of(
                                "content '%s': host '%s' should have distribution-key %d, but a node with this key runs on host '%s'; stop that server first, or choose another key"
                                        .formatted(
                                                content.getKey(),
                                                node.getValue().name(),
                                                node.getKey(),
                                                each.report.host()));
                    }
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Makes a package the one that should be active. That and the replicas that it needs are one
     * change of the record.
     *
     * @param name of the application
     * @param packaged the hosts as the package names them
     * @throws IOException if the decision could not be recorded
     */
    synchronized void activate(long generation, String name, Topology packaged) throws IOException {
        Topology before = topology;
        topology = packaged.on(configServers.getFirst());
        try {
            decide(record.packages().activated(generation, name));
        } catch (IOException e) {
            topology = before;
            throw e;
        }
    }

    /**
     * Makes no package the one that should be active; replicas stay where they are.
     *
     * @throws IOException if the decision could not be recorded
     */
    synchronized void deactivate() throws IOException {
        Topology before = topology;
        topology = Topology.NONE;
        try {
            decide(record.packages().deactivated());
        } catch (IOException e) {
            topology = before;
            throw e;
        }
    }

    /**
     * Records a session that waits for activation.
     *
     * @param others the numbers of the other sessions; the rest is forgotten
     * @throws IOException if that could not be recorded
     */
    synchronized void keep(long number, DeployedPackages.Waiting session, Collection<Long> others)
            throws IOException {
        decide(record.packages().with(number, session, others));
    }

    /**
     * Records the tenants.
     *
     * @throws IOException if that could not be recorded
     */
    synchronized void keepTenants(Collection<String> names) throws IOException {
        decide(record.packages().with(names));
    }

    /** Returns the number of the application that should be active, 0 for none. */
    public synchronized long generation() {
        return record.packages().active().map(DeployedPackages.Active::number).orElse(0L);
    }

    /** Returns the version of formats that servers write, 0 before the first server reports. */
    synchronized int format() {
        return record.format();
    }

    /** Returns the hosts of all clusters of the active package. */
    public synchronized Topology topology() {
        return topology;
    }

    /** Returns whether there is a content cluster, or will be one for the active package. */
    synchronized boolean hasCluster(String id) {
        return record.states().containsKey(id) || topology.contents().containsKey(id);
    }

    /** Returns whether a content cluster has replicas, which may have documents. */
    synchronized boolean hasReplicas(String id) {
        ClusterState state = record.states().get(id);
        return state != null
                && state.shards().stream().anyMatch(shard -> !shard.voters().isEmpty());
    }

    /** Returns the states of the content clusters, by id. */
    public synchronized SortedMap<String, ClusterState> states() {
        return record.states();
    }

    /**
     * Takes the report of a host. One that is not of the cluster gets no decisions.
     *
     * @throws IllegalArgumentException if it has another form
     * @throws IOException if what follows from it could not be recorded
     */
    public synchronized ConfigReply report(HostReport report) throws IOException {
        ReportForm.check(report);
        Optional<String> refusal = refusal(report);
        if (refusal.isPresent()) {
            return ConfigReply.refusal(refusal.get(), record.clusterId());
        }
        Heard last = heard.get(report.host());
        if (last == null || !report.sender().isBefore(last.report.sender())) {
            warnOfClock(report);
            heard.put(report.host(), new Heard(report, nanoTime.getAsLong(), clock.millis()));
            decide(record.packages());
        }
        boolean isMember = members().contains(report.host());
        return new ConfigReply(
                "",
                record.clusterId(),
                record.revision(),
                record.format(),
                isMember ? generation() : 0,
                isMember ? record.states() : new TreeMap<>());
    }

    /** Returns the last reports of the hosts of the cluster. */
    private List<Heard> heardMembers() {
        SortedSet<String> members = members();
        return heard.values().stream()
                .filter(each -> members.contains(each.report.host()))
                .toList();
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
        if (other != null
                && other.report.sender().process() != report.sender().process()
                && !other.report.isStopping()
                && !isSilent(other)) {
            return Optional.of(
                    "another process reports as host '%s'; give each its own --host"
                            .formatted(report.host()));
        }
        if (record.format() != 0 && !report.sender().formats().has(record.format())) {
            return Optional.of(
                    "host '%s' has formats of %s, but the cluster uses version %d; start another release there"
                            .formatted(report.host(), report.sender().formats(), record.format()));
        }
        SortedSet<String> members = members();
        if (other == null && !members.contains(report.host())) {
            if (heard.size() >= HOSTS_MAX) {
                heard.values()
                        .removeIf(each -> isSilent(each) && !members.contains(each.report.host()));
            }
            if (heard.keySet().stream().filter(each -> !members.contains(each)).count()
                    >= HOSTS_MAX) {
                return Optional.of(
                        "%d hosts report that no package names, which is the limit"
                                .formatted(HOSTS_MAX));
            }
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
        decide(record.packages());
    }

    /**
     * Begins or ends the maintenance of a host.
     *
     * @return false if the host has never reported
     * @throws IOException if that could not be recorded
     */
    public synchronized boolean maintain(String host, boolean begins) throws IOException {
        if (!record.hosts().has(host) && !heard.containsKey(host)) {
            return false;
        }
        var maintained = new TreeSet<>(record.hosts().maintained());
        if (begins ? maintained.add(host) : maintained.remove(host)) {
            write(record.with(new RecordedHosts(record.hosts().formats(), maintained)));
            decide(record.packages());
        }
        return true;
    }

    private void decide(DeployedPackages packages) throws IOException {
        var formats = new TreeMap<>(record.hosts().formats());
        heard.forEach((host, each) -> formats.put(host, each.report.sender().formats()));
        int format = format(formats);
        SortedSet<String> members = members();
        formats.keySet().retainAll(members);
        var states = new TreeMap<>(record.states());
        if (isInformed()) {
            topology.contents()
                    .keySet()
                    .forEach(id -> states.computeIfAbsent(id, ClusterController::firstState));
            states.replaceAll(this::next);
        }
        var next =
                new ClusterRecord(
                        record.clusterId(),
                        record.revision(),
                        format,
                        new RecordedHosts(formats, record.hosts().maintained()),
                        states,
                        packages);
        if (!next.equals(record)) {
            write(next);
        }
    }

    private static ClusterState firstState(String id) {
        return GlobalClusters.isGlobal(id)
                ? ClusterState.everywhere(GlobalClusters.SHARDS)
                : ClusterState.empty(SHARDS);
    }

    /**
     * Returns the newest version of formats that all hosts and this config server have; it never
     * falls. Hosts that are silent and not in the active package do not count.
     */
    private int format(SortedMap<String, FormatVersions> formats) {
        if (!isInformed() || !hasPackage()) {
            return record.format();
        }
        Set<String> counted = hosts(topology);
        heard.forEach((host, each) -> {
            if (!isSilent(each)) {
                counted.add(host);
            }
        });
        int newest =
                formats.entrySet().stream()
                        .filter(each -> counted.contains(each.getKey()))
                        .mapToInt(each -> each.getValue().newest())
                        .min()
                        .orElse(0);
        return Math.max(Math.min(newest, FormatVersions.OWN.newest()), record.format());
    }

    /** Returns whether a host that has not reported is down: not so just after the start. */
    private boolean isInformed() {
        return nanoTime.getAsLong() - openedNanos > SILENCE.toNanos()
                || heard.keySet().containsAll(record.hosts().formats().keySet());
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
        for (Heard each : heardMembers()) {
            NodeReport report = each.report.nodes().get(id);
            if (report != null && mayReport(each.report.host(), report, wanted, before)) {
                reports.put(report.node(), report);
                if (isSilent(each)) {
                    silent.add(report.node());
                }
                if (record.hosts().maintained().contains(each.report.host())
                        || each.report.isStopping()
                        || each.isMistimed(report)) {
                    maintained.add(report.node());
                }
            }
        }
        return before.next(
                new Wanted(wanted.redundancy(), capacities, maintained, Optional.of(members())),
                reports,
                silent);
    }

    /**
     * Returns whether a host may report as a node. The package must place the node there, or the
     * node has replicas and the data directory that had them. No host may report the data directory
     * of another one: it would speak for the replicas in it.
     */
    private static boolean mayReport(
            String host, NodeReport report, ContentNodes wanted, ClusterState state) {
        ContentHost placed = wanted.nodes().get(report.node());
        Set<Integer> owners = new HashSet<>();
        state.nodes()
                .forEach((key, node) -> {
                    if (node.peer().equals(report.peer())) {
                        owners.add(key);
                    }
                });
        state.replicas()
                .filter(each -> each.peer().equals(report.peer()))
                .map(Replica::node)
                .filter(key -> key != Replica.UNKNOWN)
                .forEach(owners::add);
        if (placed == null) {
            return owners.contains(report.node());
        }
        return placed.name().equals(host)
                && (owners.isEmpty()
                        || owners.contains(report.node())
                        || Replica.hostOf(report.peer()).equals(host));
    }

    private void write(ClusterRecord next) throws IOException {
        ClusterRecord numbered = next.withRevision(record.revision() + 1);
        store.write(numbered);
        record = numbered;
    }

    /** Returns the last report of each content node of a cluster, by distribution key. */
    public synchronized SortedMap<Integer, NodeReport> reports(String cluster) {
        var reports = new TreeMap<Integer, NodeReport>();
        for (Heard each : heardMembers()) {
            NodeReport report = each.report.nodes().get(cluster);
            if (report != null && !isSilent(each)) {
                reports.put(report.node(), report);
            }
        }
        return reports;
    }

    /**
     * Returns the oldest generation that is active on a host of the active package; 0 if none is
     * active on one. Hosts that are down do not count.
     */
    public synchronized long servedGeneration() {
        Set<String> placed = hosts(topology);
        return hosts().stream()
                .filter(host -> host.isUp() && placed.contains(host.name()))
                .mapToLong(ReportedHost::generation)
                .min()
                .orElse(0);
    }

    /** Returns the names of all hosts of a topology. */
    private static Set<String> hosts(Topology topology) {
        Set<String> names = new HashSet<>();
        topology.containers().values().forEach(names::addAll);
        topology.contents()
                .values()
                .forEach(nodes -> nodes.nodes().values().forEach(node -> names.add(node.name())));
        return names;
    }

    /** Returns the hosts that report, and those that have, by name. */
    public synchronized List<ReportedHost> hosts() {
        List<ReportedHost> all = new ArrayList<>();
        var names = new TreeSet<>(record.hosts().formats().keySet());
        names.addAll(heard.keySet());
        for (String host : names) {
            Heard last = heard.get(host);
            boolean isUp = last != null && !isSilent(last) && !last.report.isStopping();
            all.add(
                    new ReportedHost(
                            host,
                            isUp,
                            record.hosts().maintained().contains(host),
                            last == null ? 0 : last.report.generation(),
                            last == null ? 0 : last.report.containerPort()));
        }
        return all;
    }

    /**
     * A host of the cluster.
     *
     * @param isUp whether it reports, and does not stop
     * @param isMaintained whether an operator works on it
     * @param generation the application that is active on it, as it last reported; 0 for none
     * @param containerPort where it answers queries, as it last reported; 0 for nowhere
     */
    public record ReportedHost(
            String name, boolean isUp, boolean isMaintained, long generation, int containerPort) {}
}
