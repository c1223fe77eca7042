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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.content.node.ContentNode;
import org.crabro.content.node.ContentSettings;
import org.crabro.content.node.GlobalDocuments;
import org.crabro.content.node.wire.ContentServer;
import org.crabro.content.node.wire.RemoteReplica;
import org.crabro.content.node.wire.ReplicaExports;
import org.crabro.content.replication.raft.GroupMembers;
import org.crabro.content.replication.raft.PeerName;
import org.crabro.content.replication.raft.RatisGroups;
import org.crabro.content.replication.raft.RatisJournals;
import org.crabro.content.replication.raft.RatisSettings;
import org.crabro.content.replication.raft.RatisTimes;
import org.crabro.content.replication.raft.ReplicaAddress;
import org.crabro.content.replication.raft.ReplicaEvents;
import org.crabro.content.replication.raft.ReplicaStatus;
import org.crabro.content.replication.raft.ShardGroup;
import org.crabro.content.replication.raft.ShardReplicas;
import org.crabro.content.storage.journal.MappedLogFiles;
import org.crabro.document.memory.RequestMemory;
import org.crabro.protocol.cluster.ClusterState;
import org.crabro.protocol.cluster.ClusterState.ShardMove;
import org.crabro.protocol.cluster.NodeAddresses;
import org.crabro.protocol.cluster.NodeReport;
import org.crabro.protocol.cluster.NodeReport.Configuration;
import org.crabro.protocol.cluster.NodeReport.Copy;
import org.crabro.protocol.cluster.NodeReport.NodeLoad;
import org.crabro.protocol.cluster.NodeReport.ShardReport;
import org.crabro.protocol.cluster.NodeState;
import org.crabro.protocol.cluster.Replica;
import org.crabro.protocol.cluster.ShardState;
import org.crabro.protocol.transport.AllowedCallers;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.NodeIdentity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The content node of a host for one content cluster. Its store is open from the first state on,
 * with the replicas that it has. As the config server wants, it creates replicas of new shards,
 * gets copies of others, and deletes those that it should not have. For the shards that it leads,
 * it changes the voters and hands over.
 *
 * <p>It chooses the next step of each shard by its state, its replica and the changes that run.
 */
final class HostedCluster implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HostedCluster.class);

    /** The time for a change of voters or of the leader; after it, the next state decides. */
    private static final Duration CHANGE_TIME = Duration.ofSeconds(10);

    /** The time between two attempts of a change. */
    private static final Duration RETRY_TIME = Duration.ofSeconds(2);

    private final String cluster;
    private final int key;
    private final HostSettings host;
    private final ContentSettings settings;
    private final MappedLogFiles files;
    private final RatisGroups groups;
    private final Events events;
    private final MemberHosts hosts;
    private final RequestMemory memory;
    private final SecureRandom random = new SecureRandom();

    /** Runs one change of each shard at most. */
    private final ExecutorService changes =
            Executors.newThreadPerTaskExecutor(
                    Thread.ofPlatform().name("replica-change-", 0).daemon().factory());

    // Guarded by this, as are the next three.
    private final Set<Integer> changing = new HashSet<>();

    /** When a change of a shard may be tried again, by {@link System#nanoTime()}. */
    private final Map<Integer, Long> retries = new HashMap<>();

    private final LeaderlessShards leaderless = new LeaderlessShards();

    /** The copied replicas that are kept on their nodes until the copies have caught up. */
    private final Map<Integer, RemoteReplica> sources = new HashMap<>();

    /** The copies that are made now, by shard; one at most. */
    private final Map<Integer, ReplicaCopy> copies = new ConcurrentHashMap<>();

    private volatile Optional<ClusterState> latest = Optional.empty();
    private volatile Optional<ClusterState> globalState = Optional.empty();
    private volatile Optional<Serving> serving = Optional.empty();
    private volatile Optional<ApplicationModel> model = Optional.empty();
    private volatile GlobalDocuments globals = GlobalDocuments.NONE;

    private final CatchUp catchUp = new CatchUp();

    private volatile boolean isClosing;

    /** The node with an open store. */
    private record Serving(
            ContentNode node,
            ShardReplicas replicas,
            ReplicaExports exports,
            ContentServer server) {}

    private HostedCluster(
            String cluster,
            int key,
            HostSettings host,
            ContentSettings settings,
            MappedLogFiles files,
            Connected connected) {
        this.cluster = cluster;
        this.key = key;
        this.host = host;
        this.settings = settings;
        this.files = files;
        this.groups = connected.groups();
        this.events = connected.events();
        this.hosts = connected.hosts();
        this.memory = connected.memory();
    }

    /** The Raft server, what it reports, and what requests may use. */
    private record Connected(
            RatisGroups groups, Events events, MemberHosts hosts, RequestMemory memory) {}

    /**
     * Starts to listen for the other nodes of the cluster.
     *
     * @param cluster the id of the content cluster
     * @param key the distribution key of the node
     * @param settings with the directory of the node
     * @param memory for the values of requests, shared with the other nodes of the host
     * @param failed is called with the reason after a failure that only a restart repairs
     * @throws IOException if the data cannot be opened, or the port is in use
     */
    static HostedCluster open(
            String cluster,
            int key,
            HostSettings host,
            ContentSettings settings,
            RequestMemory memory,
            Consumer<String> failed)
            throws IOException {
        Path directory = settings.place().directory();
        var files = new MappedLogFiles(directory);
        try {
            String peer = PeerName.of(files, host.name(), new SecureRandom());
            int port = host.ports().of(cluster).replication();
            var events = new Events(failed);
            var hosts = new MemberHosts();
            RatisGroups groups =
                    RatisGroups.open(
                            new RatisSettings(
                                    new ReplicaAddress(peer, host.address(), port),
                                    directory.resolve("raft"),
                                    files,
                                    RatisSettings.Peers.of(
                                            host.security(),
                                            AllowedCallers.MEMBERS,
                                            hosts.latest()),
                                    RatisTimes.DEFAULT,
                                    RatisSettings.RETAINED_BYTES),
                            events);
            host.ports().keepReplication(cluster, groups.self().port());
            return new HostedCluster(
                    cluster,
                    key,
                    host,
                    settings,
                    files,
                    new Connected(groups, events, hosts, memory));
        } catch (IOException | RuntimeException e) {
            files.close();
            throw e;
        }
    }

    /** Returns the name of a data directory that is not open; empty if it has none. */
    static Optional<String> peer(Path directory) throws IOException {
        try (var files = new MappedLogFiles(directory)) {
            return PeerName.find(files);
        }
    }

    /**
     * Notes what happens to replicas.
     *
     * @param behind the shards whose replica needs copies of another one
     * @param removed the shards whose replica has ended, because the others do not count it
     */
    private record Events(Consumer<String> failed, Set<Integer> behind, Set<Integer> removed)
            implements ReplicaEvents {
        Events(Consumer<String> failed) {
            this(failed, ConcurrentHashMap.newKeySet(), ConcurrentHashMap.newKeySet());
        }

        @Override
        public void failed(ShardGroup group, String reason) {
            failed.accept("%s: %s".formatted(group, reason));
        }

        @Override
        public void behind(ShardGroup group) {
            if (behind.add(group.shard())) {
                LOG.warn("{} is too far behind the other replicas: it gets copies", group);
            }
        }

        @Override
        public void removed(ShardGroup group) {
            LOG.info("{} is not a replica any more", group);
            removed.add(group.shard());
        }
    }

    /**
     * Makes a model active on the node, now or when its store is open.
     *
     * @param part of this content cluster
     * @param parents the parents of its documents that another node of the host has
     */
    synchronized void activate(ApplicationModel part, GlobalDocuments parents) {
        model = Optional.of(part);
        globals = parents;
        serving.ifPresent(each -> activate(each.node()));
    }

    private void activate(ContentNode node) {
        node.findGlobals(globals);
        model.ifPresent(node::activate);
    }

    /**
     * Returns the node if its store is open, for searches of documents that refer to its documents.
     */
    Optional<GlobalDocuments.Node> globalNode() {
        return serving.map(
                each -> new GlobalDocuments.Node(each.node(), () -> isCurrent(each.node())));
    }

    /** Returns whether the node has all acknowledged writes, except for those of this moment. */
    private boolean isCurrent(ContentNode node) {
        return events.behind.isEmpty()
                && catchUp.isDone(
                        node.documents().replacements(),
                        latest.map(state -> state.shards().size()).orElse(0),
                        shard -> groups.isCurrent(new ShardGroup(cluster, shard)));
    }

    /**
     * Does what a state of the content cluster wants, as far as that is possible now. Called again
     * and again.
     *
     * @param parents the state of its global cluster, if it has one
     * @param format the version of formats to write
     * @throws IOException if the store cannot be opened
     */
    synchronized void follow(ClusterState state, Optional<ClusterState> parents, int format)
            throws IOException {
        if (isClosing) {
            return;
        }
        latest = Optional.of(state);
        hosts.follow(state);
        globalState = parents;
        groups.compress(format >= FormatVersions.COMPRESSED_ENTRIES);
        if (model.isEmpty()) {
            // Without schemas it would reject requests.
            return;
        }
        if (serving.isEmpty()) {
            serving = Optional.of(serve(state.shards().size()));
        }
        serving.get().node().refusePuts(fullShards(state));
        for (int shard = 0; shard < state.shards().size(); shard++) {
            Long retry = retries.get(shard);
            if (!changing.contains(shard) && (retry == null || System.nanoTime() - retry >= 0)) {
                proceed(shard, state, serving.get().replicas());
            }
        }
    }

    private Serving serve(int shards) throws IOException {
        ContentNode node =
                ContentNode.open(
                        settings,
                        files,
                        InstantSource.system(),
                        new RatisJournals(
                                groups,
                                cluster,
                                shards,
                                this::members,
                                settings.recent().journal(),
                                random));
        try {
            activate(node);
            ShardReplicas replicas =
                    ShardReplicas.open(
                            groups,
                            cluster,
                            node.documents(),
                            settings.place().directory().resolve("exports"));
            var exports = new ReplicaExports(groups.self().peer(), replicas::export);
            ContentServer server =
                    ContentServer.start(
                            new NodeAddress(host.address(), host.ports().of(cluster).requests()),
                            host.security(),
                            identity(cluster, key),
                            host.limits(),
                            ContentServer.Served.of(node)
                                    .with(exports)
                                    .with(host.tracer())
                                    .with(hosts.latest())
                                    .with(memory));
            host.ports().keepRequests(cluster, server.address().port());
            LOG.info("node {} of '{}' takes requests at {}", key, cluster, server.address());
            return new Serving(node, replicas, exports, server);
        } catch (IOException | RuntimeException e) {
            node.close();
            throw e;
        }
    }

    /** Returns this data directory as a replica. */
    private Replica self() {
        return new Replica(key, groups.self().peer());
    }

    /** Returns the replicas of a shard if this node is one of them, and all are known. */
    private GroupMembers members(int shard) {
        ClusterState state = latest.orElseThrow();
        List<Replica> voters = state.shards().get(shard).voters();
        List<Replica> listeners = state.listeners(shard).replicas();
        boolean isHere = voters.contains(self()) || listeners.contains(self());
        return members(voters, listeners, state).filter(_ -> isHere).orElse(GroupMembers.NONE);
    }

    /** Returns replicas with their addresses; empty if one is not known. */
    private static Optional<GroupMembers> members(
            List<Replica> voters, List<Replica> listeners, ClusterState state) {
        var members = new GroupMembers(addresses(voters, state), addresses(listeners, state));
        return Optional.of(members)
                .filter(_ ->
                        members.voters().size() == voters.size()
                                && members.listeners().size() == listeners.size());
    }

    /** Does the next step for a shard, if there is one. */
    private void proceed(int shard, ClusterState state, ShardReplicas replicas) throws IOException {
        ShardState wanted = state.shards().get(shard);
        boolean isMember =
                wanted.voters().contains(self())
                        || state.listeners(shard).replicas().contains(self());
        boolean isDesired =
                wanted.desired().contains(key) || state.listeners(shard).desired().contains(key);
        Optional<ReplicaStatus> status = groups.status(new ShardGroup(cluster, shard));
        Optional<ShardMove> move =
                state.moves().stream().filter(each -> each.shard() == shard).findFirst();
        boolean isAdded = move.filter(each -> each.added().contains(self())).isPresent();
        boolean isStuck = leaderless.isDue(shard, state, System.nanoTime());
        if (hasUnneededSource(shard, status, isMember, isAdded)) {
            Optional.ofNullable(sources.remove(shard))
                    .ifPresent(source -> change(shard, source::close));
        } else if (status.isEmpty()) {
            if (replicas.isHere(shard)
                    || (!replicas.isRemoved(shard) && !members(shard).voters().isEmpty())) {
                LOG.info("shard {} of '{}' gets a replica on node {}", shard, cluster, key);
                change(shard, () -> finish(shard, () -> replicas.start(shard)));
            } else if (isAdded || (isMember && replicas.isRemoved(shard))) {
                copy(shard, state, replicas);
            }
        } else if (status.get().isLeader()) {
            lead(shard, state, move, status.get());
        } else if (!isMember && !isDesired && isWithout(wanted, status.get().configuration())) {
            LOG.info("shard {} of '{}' has no replica on node {} any more", shard, cluster, key);
            change(
                    shard,
                    () ->
                            finish(
                                    shard,
                                    () -> {
                                        if (replicas.remove(
                                                shard, newest -> isWithout(wanted, newest))) {
                                            events.behind.remove(shard);
                                            events.removed.remove(shard);
                                        }
                                    }));
        } else if (events.behind.contains(shard)) {
            copy(shard, state, replicas);
        } else if (events.removed.contains(shard) && (isMember || isAdded)) {
            change(
                    shard,
                    () ->
                            finish(
                                    shard,
                                    () -> {
                                        replicas.start(shard);
                                        events.removed.remove(shard);
                                    }));
        } else if (isStuck && wanted.voters().contains(self())) {
            LOG.warn(
                    "shard {} of '{}' has had no leader for {} s: its replica on node {} starts again",
                    shard,
                    cluster,
                    LeaderlessShards.PATIENCE.toSeconds(),
                    key);
            change(shard, () -> finish(shard, () -> replicas.start(shard)));
        } else if (status.get().isMisplaced(groups.self().peer())) {
            LOG.info(
                    "shard {} of '{}' takes another role on node {} than {}",
                    shard,
                    cluster,
                    key,
                    status.get().role());
            change(shard, () -> finish(shard, () -> replicas.start(shard)));
        }
    }

    /**
     * Returns whether a configuration without this replica is committed, and the replica does not
     * know a later one with it.
     */
    private boolean isWithout(ShardState shard, ReplicaStatus.Configuration configuration) {
        String self = groups.self().peer();
        return shard.configuration() > configuration.index()
                || (shard.configuration() >= 0 && !configuration.members().has(self));
    }

    /** Changes the files of a shard. After a failure, only a restart opens them. */
    private void finish(int shard, Change change) throws IOException {
        catchUp.begin(shard);
        try {
            change.run();
        } catch (IOException | RuntimeException e) {
            if (!isClosing) {
                LOG.error("the replica of shard {} of '{}' failed", shard, cluster, e);
                events.failed.accept("shard %d of '%s': %s".formatted(shard, cluster, e));
            }
            throw e;
        } finally {
            catchUp.end(shard);
        }
    }

    /** Copies the leader's replica of a shard, if no other one is being copied. */
    private void copy(int shard, ClusterState state, ShardReplicas replicas) {
        Optional<Integer> leader = state.shards().get(shard).leader();
        if (leader.isEmpty() || !copies.isEmpty()) {
            return;
        }
        NodeState node = state.nodes().get(leader.get());
        if (node == null || leader.get() == key || node.addresses().requests().isEmpty()) {
            return;
        }
        var ends =
                new RemoteReplica.Ends(
                        HostSettings.address(node.addresses().requests()),
                        node.peer(),
                        groups.self().peer());
        RemoteReplica former = sources.remove(shard);
        copies.put(shard, ReplicaCopy.begun(leader.get()));
        change(
                shard,
                () -> {
                    try {
                        if (former != null) {
                            former.close();
                        }
                        copy(shard, leader.get(), ends, replicas);
                    } finally {
                        copies.remove(shard);
                    }
                });
    }

    private void copy(int shard, int from, RemoteReplica.Ends ends, ShardReplicas replicas)
            throws IOException {
        RemoteReplica source = RemoteReplica.open(ends, host.security(), shard);
        boolean isInstalled = false;
        try {
            var copy = new ReplicaCopy(from, source, ReplicaCopy.BYTES_PER_SECOND);
            copies.put(shard, copy);
            replicas.stage(shard, copy);
            finish(shard, () -> replicas.install(shard, copy));
            events.behind.remove(shard);
            LOG.info(
                    "shard {} of '{}' was copied to node {}: {} bytes",
                    shard,
                    cluster,
                    key,
                    source.list().bytes());
            isInstalled = true;
        } finally {
            if (!isInstalled) {
                source.close();
            }
        }
        synchronized (this) {
            sources.put(shard, source);
        }
    }

    /** Returns whether another node keeps copies that are not needed any more. */
    private boolean hasUnneededSource(
            int shard, Optional<ReplicaStatus> status, boolean isMember, boolean isAdded) {
        RemoteReplica source = sources.get(shard);
        if (source == null) {
            return false;
        }
        boolean hasCaughtUp =
                isMember
                        && status.filter(each ->
                                        each.leader().isPresent()
                                                && each.applied() >= source.list().record().index())
                                .isPresent();
        return hasCaughtUp || !(isMember || isAdded);
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
        List<ReplicaAddress> addresses = new ArrayList<>();
        for (Replica replica : replicas) {
            NodeState node = state.nodes().get(replica.node());
            if (node != null && !node.addresses().replication().isEmpty()) {
                NodeAddress address = HostSettings.address(node.addresses().replication());
                addresses.add(new ReplicaAddress(replica.peer(), address.host(), address.port()));
            }
        }
        return addresses;
    }

    /** Does what a shard needs of its leader, which this node is. */
    private void lead(
            int shard, ClusterState state, Optional<ShardMove> move, ReplicaStatus status) {
        var group = new ShardGroup(cluster, shard);
        ShardState shardState = state.shards().get(shard);
        Optional<String> leader =
                new LeaderChoice(self(), state, globalState).better(shardState, move);
        if (leader.isPresent()) {
            change(shard, () -> groups.transfer(group, leader.get(), CHANGE_TIME));
        } else if (move.isPresent()
                && isUpToDate(shardState, status)
                && shardState.seeded().containsAll(move.get().added())) {
            List<Replica> voters = withSelf(move.get().voters());
            List<Replica> listeners = new ArrayList<>(move.get().listeners());
            listeners.removeAll(voters);
            Optional<GroupMembers> next = members(voters, listeners, state);
            boolean isChange =
                    !Set.copyOf(voters).equals(Set.copyOf(shardState.voters()))
                            || !Set.copyOf(listeners)
                                    .equals(Set.copyOf(state.listeners(shard).replicas()));
            if (next.isPresent() && isChange) {
                LOG.info(
                        "shard {} of '{}' gets the voters {} and the listeners {}",
                        shard,
                        cluster,
                        voters,
                        listeners);
                change(shard, () -> groups.change(group, next.get(), CHANGE_TIME));
            }
        }
    }

    /**
     * Returns replicas and that of this node. It leads, and another leader votes it out: {@link
     * RatisGroups#change}.
     */
    private List<Replica> withSelf(List<Replica> voters) {
        return voters.contains(self())
                ? voters
                : Stream.concat(voters.stream(), Stream.of(self())).toList();
    }

    /** Returns whether the config server knows the configuration of a shard. */
    private static boolean isUpToDate(ShardState shard, ReplicaStatus status) {
        return status.isSettled() && shard.configuration() == status.configuration().index();
    }

    /** A change of a shard. */
    private interface Change {
        void run() throws IOException;
    }

    private void change(int shard, Change change) {
        changing.add(shard);
        changes.execute(() -> {
            boolean isDone = false;
            try {
                change.run();
                isDone = true;
            } catch (IOException e) {
                LOG.info("shard {} of '{}' stays as it is: {}", shard, cluster, e.getMessage());
            } finally {
                synchronized (this) {
                    changing.remove(shard);
                    retries.remove(shard);
                    if (!isDone) {
                        retries.put(shard, System.nanoTime() + RETRY_TIME.toNanos());
                    }
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
            Optional<ReplicaStatus> status = groups.status(new ShardGroup(cluster, shard));
            Optional<Copy> copy = Optional.ofNullable(copies.get(shard)).map(ReplicaCopy::report);
            if (status.isPresent() || copy.isPresent()) {
                shards.add(report(shard, status, copy));
            }
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

    private static ShardReport report(
            int shard, Optional<ReplicaStatus> status, Optional<Copy> copy) {
        return new ShardReport(
                shard,
                status.map(ReplicaStatus::term).orElse(0L),
                status.filter(ReplicaStatus::isLeader).isPresent(),
                status.filter(each -> !each.isLeader() || each.isSettled())
                        .map(HostedCluster::configuration),
                status.map(ReplicaStatus::applied).orElse(-1L),
                copy);
    }

    private static Configuration configuration(ReplicaStatus status) {
        return new Configuration(
                status.configuration().index(),
                peers(status.voters()),
                Optional.of(peers(status.configuration().members().listeners())),
                status.leader());
    }

    private static List<String> peers(List<ReplicaAddress> replicas) {
        return replicas.stream().map(ReplicaAddress::peer).toList();
    }

    private NodeLoad load() {
        String refusal = serving.flatMap(each -> each.node().putsRefused()).orElse("");
        return new NodeLoad(refusal, 0, 0, System.currentTimeMillis());
    }

    /** Hands over, stops to take requests, and closes the store. */
    @Override
    public void close() {
        isClosing = true;
        changes.shutdownNow();
        groups.stopLeading();
        synchronized (this) {
            serving.ifPresent(each -> {
                each.server().close();
                each.exports().close();
                each.node().close();
            });
            for (RemoteReplica each : sources.values()) {
                try {
                    each.close();
                } catch (IOException e) {
                    LOG.debug("copies stay on another node for an hour at most", e);
                }
            }
        }
        try {
            groups.close();
            files.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
