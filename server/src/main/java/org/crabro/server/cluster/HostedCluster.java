package org.crabro.server.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.content.ContentNode;
import org.crabro.content.ContentSettings;
import org.crabro.content.journal.MappedLogFiles;
import org.crabro.content.raft.PeerName;
import org.crabro.content.raft.RatisGroups;
import org.crabro.content.raft.RatisJournals;
import org.crabro.content.raft.RatisSettings;
import org.crabro.content.raft.RatisTimes;
import org.crabro.content.raft.RatisTls;
import org.crabro.content.raft.ReplicaAddress;
import org.crabro.content.raft.ReplicaEvents;
import org.crabro.content.raft.ReplicaStatus;
import org.crabro.content.raft.ShardGroup;
import org.crabro.content.wire.ContentServer;
import org.crabro.protocol.cluster.ClusterState;
import org.crabro.protocol.cluster.ClusterState.ShardMove;
import org.crabro.protocol.cluster.NodeAddresses;
import org.crabro.protocol.cluster.NodeReport;
import org.crabro.protocol.cluster.NodeReport.NodeLoad;
import org.crabro.protocol.cluster.NodeReport.ShardReport;
import org.crabro.protocol.cluster.NodeState;
import org.crabro.protocol.cluster.NodeState.Status;
import org.crabro.protocol.cluster.Replica;
import org.crabro.protocol.cluster.ShardState;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.NodeIdentity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The content node of a host for one content cluster. It opens its store when the config server has
 * assigned the replicas of all shards. For the shards that it leads, it changes the voters and
 * hands over as the config server wants.
 */
final class HostedCluster implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HostedCluster.class);

    /** The time for a change of voters or of the leader; after it, the next state decides. */
    private static final Duration CHANGE_TIME = Duration.ofSeconds(10);

    private final String cluster;
    private final int key;
    private final HostSettings host;
    private final ContentSettings settings;
    private final MappedLogFiles files;
    private final RatisGroups groups;
    private final SecureRandom random = new SecureRandom();

    /** Runs one change of each shard at most. */
    private final ExecutorService changes = Executors.newVirtualThreadPerTaskExecutor();

    private final Set<Integer> changing = new HashSet<>();
    private volatile Optional<Serving> serving = Optional.empty();
    private volatile Optional<ApplicationModel> model = Optional.empty();

    /** The node with an open store. */
    private record Serving(ContentNode node, ContentServer server) {}

    private HostedCluster(
            String cluster,
            int key,
            HostSettings host,
            ContentSettings settings,
            MappedLogFiles files,
            RatisGroups groups) {
        this.cluster = cluster;
        this.key = key;
        this.host = host;
        this.settings = settings;
        this.files = files;
        this.groups = groups;
    }

    /**
     * Starts to listen for the other nodes of the cluster.
     *
     * @param cluster the id of the content cluster
     * @param key the distribution key of the node
     * @param settings with the directory of the node
     * @param failed is called with the reason after a failure that only a restart repairs
     * @throws IOException if the data cannot be opened, or the port is in use
     */
    static HostedCluster open(
            String cluster,
            int key,
            HostSettings host,
            ContentSettings settings,
            Consumer<String> failed)
            throws IOException {
        Path directory = settings.place().directory();
        var files = new MappedLogFiles(directory);
        try {
            String peer = PeerName.of(files, host.name(), new SecureRandom());
            int port = host.ports().of(cluster).replication();
            RatisGroups groups =
                    RatisGroups.open(
                            new RatisSettings(
                                    new ReplicaAddress(peer, host.address(), port),
                                    directory.resolve("raft"),
                                    files,
                                    host.tls()
                                            .map(tls ->
                                                    new RatisTls(
                                                            tls.certificates(),
                                                            tls.privateKey(),
                                                            tls.authorities())),
                                    RatisTimes.DEFAULT,
                                    RatisSettings.RETAINED_BYTES),
                            new Events(failed));
            host.ports().keepReplication(cluster, groups.self().port());
            return new HostedCluster(cluster, key, host, settings, files, groups);
        } catch (IOException | RuntimeException e) {
            files.close();
            throw e;
        }
    }

    /** Reports what happens to replicas. */
    private record Events(Consumer<String> failed) implements ReplicaEvents {
        @Override
        public void failed(ShardGroup group, String reason) {
            failed.accept("%s: %s".formatted(group, reason));
        }

        @Override
        public void behind(ShardGroup group) {
            LOG.warn("{} is too far behind the other replicas", group);
        }

        @Override
        public void removed(ShardGroup group) {
            LOG.info("{} is not a replica any more", group);
        }
    }

    /** Makes a model active on the node, now or when its store is open. */
    synchronized void activate(ApplicationModel whole) {
        ApplicationModel part = whole.part((of, _) -> of.equals(cluster));
        model = Optional.of(part);
        serving.ifPresent(each -> each.node().activate(part));
    }

    /**
     * Follows a state of the content cluster.
     *
     * @throws IOException if the store cannot be opened
     */
    synchronized void follow(ClusterState state) throws IOException {
        if (serving.isEmpty() && isFormed(state)) {
            serving = Optional.of(serve(state));
        }
        if (serving.isPresent()) {
            serving.get().node().refusePuts(fullShards(state));
            for (int shard = 0; shard < state.shards().size(); shard++) {
                lead(shard, state);
            }
        }
    }

    private static boolean isFormed(ClusterState state) {
        return state.shards().stream()
                .allMatch(shard ->
                        !shard.voters().isEmpty()
                                && addresses(shard.voters(), state).size()
                                        == shard.voters().size());
    }

    private Serving serve(ClusterState state) throws IOException {
        List<List<ReplicaAddress>> voters =
                state.shards().stream().map(shard -> addresses(shard.voters(), state)).toList();
        ContentNode node =
                ContentNode.open(
                        settings,
                        files,
                        InstantSource.system(),
                        new RatisJournals(
                                groups, cluster, voters, settings.recent().journal(), random));
        try {
            model.ifPresent(node::activate);
            ContentServer server =
                    ContentServer.start(
                            new NodeAddress(host.address(), host.ports().of(cluster).requests()),
                            host.tls(),
                            identity(cluster, key),
                            host.limits(),
                            node);
            host.ports().keepRequests(cluster, server.address().port());
            LOG.info("node {} of '{}' takes requests at {}", key, cluster, server.address());
            return new Serving(node, server);
        } catch (IOException | RuntimeException e) {
            node.close();
            throw e;
        }
    }

    /** Returns why puts to shards are refused: one of their replicas has no room for them. */
    private static Map<Integer, String> fullShards(ClusterState state) {
        Map<Integer, String> full = new HashMap<>();
        for (int shard = 0; shard < state.shards().size(); shard++) {
            int number = shard;
            state.fullNode(shard)
                    .ifPresent(node ->
                            full.put(
                                    number,
                                    "disk or memory of node %d, which has a replica, is full"
                                            .formatted(node)));
        }
        return full;
    }

    /** Returns the name of a node for its clients. */
    static NodeIdentity identity(String cluster, int key) {
        return new NodeIdentity(cluster, Integer.toString(key));
    }

    /** Returns the addresses of replicas whose nodes are known. */
    private static List<ReplicaAddress> addresses(List<Replica> replicas, ClusterState state) {
        List<ReplicaAddress> found = new ArrayList<>();
        for (Replica replica : replicas) {
            NodeState node = state.nodes().get(replica.node());
            if (node != null && !node.addresses().replication().isEmpty()) {
                NodeAddress address = HostSettings.address(node.addresses().replication());
                found.add(new ReplicaAddress(replica.peer(), address.host(), address.port()));
            }
        }
        return found;
    }

    /** Does what a shard needs of its leader, if this node leads it. */
    private void lead(int shard, ClusterState state) {
        var group = new ShardGroup(cluster, shard);
        if (groups.status(group).filter(ReplicaStatus::isLeader).isEmpty()
                || changing.contains(shard)) {
            return;
        }
        Optional<ShardMove> move =
                state.moves().stream().filter(each -> each.shard() == shard).findFirst();
        Optional<String> leader = betterLeader(state.shards().get(shard), state);
        if (move.isPresent()) {
            List<ReplicaAddress> voters = addresses(move.get().voters(), state);
            change(shard, () -> groups.change(group, voters, CHANGE_TIME));
        } else if (leader.isPresent()) {
            change(shard, () -> groups.transfer(group, leader.get(), CHANGE_TIME));
        }
    }

    /** Returns the peer that should lead instead of this node. */
    private Optional<String> betterLeader(ShardState shard, ClusterState state) {
        boolean isMaintained = status(key, state) == Status.MAINTENANCE;
        int preferred = shard.desired().isEmpty() ? key : shard.desired().getFirst();
        if (!isMaintained && (preferred == key || status(preferred, state) != Status.UP)) {
            return Optional.empty();
        }
        return shard.voters().stream()
                .filter(voter -> voter.node() != key && status(voter.node(), state) == Status.UP)
                .sorted((a, b) -> Boolean.compare(b.node() == preferred, a.node() == preferred))
                .map(Replica::peer)
                .findFirst();
    }

    private static Status status(int node, ClusterState state) {
        NodeState found = state.nodes().get(node);
        return found == null ? Status.DOWN : found.status();
    }

    /** A change of a shard. */
    private interface Change {
        void run() throws IOException;
    }

    private void change(int shard, Change change) {
        changing.add(shard);
        changes.execute(() -> {
            try {
                change.run();
            } catch (IOException e) {
                LOG.info("shard {} of '{}' stays as it is: {}", shard, cluster, e.getMessage());
            } finally {
                synchronized (this) {
                    changing.remove(shard);
                }
            }
        });
    }

    /** Returns the node if its store is open. */
    synchronized Optional<ContentNode> node() {
        return serving.map(Serving::node);
    }

    /** Returns the report for the config server. Does not wait for changes. */
    NodeReport report() {
        Optional<Serving> now = serving;
        List<ShardReport> shards = new ArrayList<>();
        for (int shard = 0; now.isPresent() && shard < ClusterController.SHARDS; shard++) {
            int number = shard;
            groups.status(new ShardGroup(cluster, shard))
                    .ifPresent(status -> shards.add(report(number, status)));
        }
        return new NodeReport(
                key,
                groups.self().peer(),
                new NodeAddresses(
                        now.map(each -> each.server().address().toString()).orElse(""),
                        groups.self().host() + ":" + groups.self().port()),
                model.filter(_ -> now.isPresent()).map(ApplicationModel::generation).orElse(0L),
                shards,
                load());
    }

    private static ShardReport report(int shard, ReplicaStatus status) {
        return new ShardReport(
                shard,
                status.term(),
                status.isLeader(),
                status.isLeader()
                        ? status.voters().stream().map(ReplicaAddress::peer).toList()
                        : List.of(),
                status.applied());
    }

    private NodeLoad load() {
        String refusal = serving.flatMap(each -> each.node().putsRefused()).orElse("");
        return new NodeLoad(refusal, 0, 0, System.currentTimeMillis());
    }

    /** Hands over, stops to take requests, and closes the store. */
    @Override
    public void close() {
        changes.shutdown();
        groups.handOver();
        synchronized (this) {
            serving.ifPresent(each -> {
                each.server().close();
                each.node().close();
            });
        }
        try {
            groups.close();
            files.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
