package org.crabro.content.replication.raft;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.NetUtils;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;
import org.crabro.content.replication.log.ConsensusLog;
import org.crabro.content.replication.raft.patch.ConfirmingRpc;
import org.crabro.content.replication.raft.patch.ElectionTimer;
import org.crabro.content.replication.raft.patch.HiddenGroups;
import org.crabro.content.replication.raft.patch.LogSegments;
import org.crabro.content.replication.raft.patch.RatisPatches;
import org.crabro.content.replication.raft.patch.RefusedMessages;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.replica.ReplicaExport;
import org.crabro.content.storage.replica.ReplicaInstallation;
import org.crabro.content.storage.replica.ReplicaSource;
import org.crabro.content.storage.replica.ReplicatedStore;
import org.crabro.content.storage.replica.ShardRecord;
import org.crabro.protocol.wire.Deadline;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Raft server of a node. It has a group for each shard that the node has a replica of.
 *
 * {@snippet :
 * try (RatisGroups groups = RatisGroups.open(settings, events)) {
 *     ConsensusLog log = groups.log(new ShardGroup("music", 0), voters);
 *     ReplicatedJournal.start(log, applier, JournalSettings.DEFAULT, random.nextLong(), 0);
 * }
 * }
 *
 * <p>Thread-safe. The methods that change a group may be called on its leader only.
 *
 * <p>No other class calls the server of Ratis.
 */
public final class RatisGroups implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RatisGroups.class);
    private static final long KIBIBYTE = 1 << 10;
    private static final long MEBIBYTE = 1 << 20;

    /** With what Ratis adds. */
    private static final SizeInBytes LARGEST_ENTRY =
            SizeInBytes.valueOf(EntryParts.STORED_BYTES_MAX + KIBIBYTE);

    /**
     * Pauses of a leader after failures to send entries to a follower, and how many failures have
     * this pause. Answers of a follower that was restarted count as failures until it has got an
     * entry. With the pauses of Ratis, of up to 5 s, it would have none after 15 s.
     */
    private static final String SENDING_PAUSES = "1ms,10, 100ms,50, 500ms," + Integer.MAX_VALUE / 2;

    /** Their size has a limit of its own. */
    private static final int SEGMENTS_CACHED_MAX = 64;

    /** How long starting a group may take. */
    private static final Duration START_PATIENCE = Duration.ofSeconds(60);

    /** How long ending a group may take. */
    private static final Duration END_PATIENCE = Duration.ofSeconds(20);

    /** How long nothing is written at most while another replica takes over. */
    static final Duration TRANSFER_MAX = Duration.ofSeconds(2);

    /** How long connecting to another replica may take. */
    private static final Duration CONNECT_MAX = Duration.ofMillis(200);

    /** How long a server that stops tries to hand a group over. */
    private static final Duration HAND_OVER_MAX = Duration.ofSeconds(6);

    private static final Duration HAND_OVER_PAUSE = Duration.ofMillis(20);

    /** A process that was stopped for longer than that ends. */
    private static final Duration PAUSE_MAX = Duration.ofMinutes(10);

    private final RatisSettings settings;
    private final ReplicaEvents events;
    private final RaftServer server;
    private final ClientId client = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();
    private final Map<RaftGroupId, GroupMachine> machines;
    private final RefusedMessages refused;
    private final RatisPatches patches;

    /** The groups whose start has ended. */
    private final Map<RaftGroupId, RatisLog> started = new ConcurrentHashMap<>();

    private final ExecutorService executor;

    private volatile boolean isCompressing;

    private RatisGroups(
            RatisSettings settings,
            ReplicaEvents events,
            RaftServer server,
            Map<RaftGroupId, GroupMachine> machines,
            RefusedMessages refused,
            RatisPatches patches) {
        this.settings = settings;
        this.events = events;
        this.server = server;
        this.refused = refused;
        this.patches = patches;
        this.machines = machines;
        // A group has few tasks, and none of them waits for another group.
        this.executor =
                Executors.newCachedThreadPool(
                        Thread.ofPlatform().name("raft-events-", 0).daemon().factory());
    }

    /**
     * Starts a server without groups.
     *
     * @throws IOException if a file cannot be read or the port is in use
     * @throws IllegalStateException if the class path has another release of Ratis
     */
    public static RatisGroups open(RatisSettings settings, ReplicaEvents events)
            throws IOException {
        RatisPatches patches = RatisPatches.lookUp();
        RaftProperties properties = properties(settings);
        var parameters = new Parameters();
        var refused = new RefusedMessages();
        refused.putInto(parameters);
        GrpcConfigKeys.Server.setServicesCustomizer(parameters, new ReplicaGuard(settings.peers()));
        settings.peers()
                .tls()
                .ifPresent(tls ->
                        GrpcConfigKeys.TLS.setConf(
                                parameters,
                                new GrpcTlsConfig(
                                        tls.key().toFile(),
                                        tls.certificate().toFile(),
                                        tls.authority().toFile(),
                                        true)));
        var machines = new ConcurrentHashMap<RaftGroupId, GroupMachine>();
        HiddenGroups.hide(properties, settings.directory());
        RaftServer server =
                RaftServer.newBuilder()
                        .setServerId(RaftPeerId.valueOf(settings.self().peer()))
                        .setStateMachineRegistry(machines::get)
                        .setProperties(properties)
                        .setParameters(parameters)
                        .build();
        HiddenGroups.show(properties, settings.directory());
        boolean isStarted = false;
        try {
            server.start();
            isStarted = true;
            return new RatisGroups(settings, events, server, machines, refused, patches);
        } finally {
            if (!isStarted) {
                server.close();
            }
        }
    }

    private static RaftProperties properties(RatisSettings settings) {
        var properties = new RaftProperties();
        properties.set("raft.rpc.type", ConfirmingRpc.class.getName());
        // Without certificates, the server accepts connections from this machine only.
        GrpcConfigKeys.Server.setHost(
                properties,
                settings.peers().tls().isPresent() || settings.peers().isInsecure()
                        ? settings.self().host()
                        : "127.0.0.1");
        GrpcConfigKeys.Server.setPort(properties, settings.self().port());
        setTimes(properties, settings.times());
        setLog(properties);
        RaftServerConfigKeys.RetryCache.setExpiryTime(properties, TimeDuration.ONE_SECOND);
        RaftServerConfigKeys.Write.setByteLimit(properties, SizeInBytes.valueOf(128 * MEBIBYTE));
        RaftServerConfigKeys.LeaderElection.setMemberMajorityAdd(properties, true);
        RaftServerConfigKeys.setCloseThreshold(properties, time(PAUSE_MAX));
        return properties;
    }

    private static void setTimes(RaftProperties properties, RatisTimes times) {
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, time(times.electionMin()));
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, time(times.electionMax()));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(
                properties, time(times.electionMin().dividedBy(2)));
        // A leader that lost its followers may lead again as soon as they answer.
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(
                properties, time(times.electionMax()));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, time(times.electionMin()));
    }

    private static void setLog(RaftProperties properties) {
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf(8 * MEBIBYTE));
        // Each term begins a segment. Those of some bytes are no reason to drop entries.
        RaftServerConfigKeys.Log.setSegmentCacheNumMax(properties, SEGMENTS_CACHED_MAX);
        RaftServerConfigKeys.Log.setSegmentCacheSizeMax(
                properties, SizeInBytes.valueOf(16 * MEBIBYTE));
        RaftServerConfigKeys.Log.setPreallocatedSize(properties, SizeInBytes.valueOf(MEBIBYTE));
        // The library adds a header of eight bytes to the largest entry.
        RaftServerConfigKeys.Log.setWriteBufferSize(
                properties, SizeInBytes.valueOf(LARGEST_ENTRY.getSize() + Long.BYTES));
        RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
        RaftServerConfigKeys.Log.setLogMetadataEnabled(properties, false);
        RaftServerConfigKeys.Log.setCorruptionPolicy(
                properties, RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION);
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, LARGEST_ENTRY);
        RaftServerConfigKeys.Log.Appender.setInstallSnapshotEnabled(properties, false);
        RaftServerConfigKeys.Log.Appender.setRetryPolicy(properties, SENDING_PAUSES);
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, false);
        RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(properties, false);
        RaftServerConfigKeys.Snapshot.setTriggerWhenRemoveEnabled(properties, false);
    }

    private static TimeDuration time(Duration duration) {
        return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Returns the address at which the server listens. */
    public ReplicaAddress self() {
        return new ReplicaAddress(
                settings.self().peer(),
                settings.self().host(),
                server.getServerRpc().getInetSocketAddress().getPort());
    }

    /**
     * Returns the log of a shard, to be started once. Closing it ends the replica and keeps its
     * files.
     *
     * @param members the replicas when the group was created; none for a replica that is added to
     *     an existing group. Ignored if the log knows its members
     * @throws IOException if the record of the shard cannot be read
     */
    public ConsensusLog log(ShardGroup group, GroupMembers members) throws IOException {
        return new RatisLog(
                this, group, members, ShardRecord.open(settings.files(), group.fileName()));
    }

    /** Returns the log of a group without listeners; see {@link #log(ShardGroup, GroupMembers)}. */
    public ConsensusLog log(ShardGroup group, List<ReplicaAddress> voters) throws IOException {
        return log(group, GroupMembers.of(voters));
    }

    /**
     * Deletes the log of a group that is not started, if it ends before an entry.
     *
     * @return about how many bytes its entries up to this one have
     */
    long prepareLog(ShardGroup group, long index) throws IOException {
        Path directory = settings.directory().resolve(group.fileName());
        LogSegments.deleteIfBefore(directory, index, LARGEST_ENTRY);
        return LogSegments.bytesUpTo(directory, index);
    }

    /** Returns whether this data directory has a replica of a shard, started or not. */
    boolean isHere(ShardGroup group) throws IOException {
        return !isRemoved(group)
                && (Files.isDirectory(settings.directory().resolve(group.fileName()))
                        || ShardRecord.open(settings.files(), group.fileName())
                                .content()
                                .isPresent());
    }

    /** Returns whether the replica of a shard was removed from this data directory. */
    boolean isRemoved(ShardGroup group) throws IOException {
        return ShardRecord.isRemoved(settings.files(), group.fileName());
    }

    /**
     * Deletes the log of a group that is not started. Its term and its vote are kept: if it becomes
     * a member again, it must not vote twice in a term.
     */
    void deleteLog(ShardGroup group) throws IOException {
        Path directory = settings.directory().resolve(group.fileName());
        FileTree.deleteExcept(directory, directory.resolve("current").resolve("raft-meta"));
    }

    /**
     * Returns the newest configuration that a replica knows, committed or not. It can be asked for
     * when the replica has ended, too.
     *
     * @throws IOException if the replica is not started
     */
    Supplier<ReplicaStatus.Configuration> configuration(ShardGroup group) throws IOException {
        RaftServer.Division division = division(group);
        return () -> configuration(division.getRaftConf());
    }

    /** Throws if a group has not ended. */
    void checkEnded(ShardGroup group) throws IOException {
        for (RaftGroupId id : server.getGroupIds()) {
            if (id.equals(group.id())) {
                throw new IOException(group + " has not ended");
            }
        }
    }

    /** Adds a group to the server, which starts it. */
    void add(RatisLog log, GroupMembers members, GroupMachine machine) throws IOException {
        RaftGroupId id = log.group().id();
        if (machines.putIfAbsent(id, machine) != null) {
            throw new IOException("it is started already");
        }
        boolean isStarted = false;
        refused.begin(id);
        try {
            RaftGroup added = RaftGroup.valueOf(id, members.toPeers());
            var request =
                    GroupManagementRequest.newAdd(
                            client, server.getId(), calls.incrementAndGet(), added, false);
            check(await(server.groupManagementAsync(request), START_PATIENCE));
            ElectionTimer.endForListener(division(log.group()));
            isStarted = true;
            started.put(id, log);
        } finally {
            refused.end(id);
            if (!isStarted) {
                machines.remove(id);
            }
        }
    }

    /** Ends a group, and keeps its files. */
    void remove(ShardGroup group, RatisLog log) {
        started.remove(group.id(), log);
        try {
            RaftClientReply _ = await(executor.submit(() -> end(group)), END_PATIENCE);
        } catch (IOException e) {
            LOG.warn("{} could not be ended", group, e);
        }
        machines.remove(group.id());
    }

    private RaftClientReply end(ShardGroup group) throws IOException {
        patches.cacheEviction().end(division(group));
        return server.groupManagement(
                GroupManagementRequest.newRemove(
                        client, server.getId(), calls.incrementAndGet(), group.id(), false, false));
    }

    /** Returns the state of the replica of a shard; empty if it is not started. */
    public Optional<ReplicaStatus> status(ShardGroup group) {
        RaftServer.Division division;
        try {
            division = division(group);
        } catch (IOException _) {
            return Optional.empty();
        }
        if (!started.containsKey(group.id())) {
            return Optional.empty();
        }
        DivisionInfo info = division.getInfo();
        return Optional.of(
                new ReplicaStatus(
                        role(info),
                        Optional.ofNullable(info.getLeaderId()).map(RaftPeerId::toString),
                        info.getCurrentTerm(),
                        info.getLastAppliedIndex(),
                        division.getRaftLog().getLastCommittedIndex(),
                        configuration(division.getRaftConf())));
    }

    private static ReplicaStatus.Configuration configuration(RaftConfiguration stored) {
        return new ReplicaStatus.Configuration(
                stored.getLogEntryIndex(),
                new GroupMembers(
                        addresses(stored.getCurrentPeers()),
                        addresses(stored.getCurrentPeers(RaftPeerRole.LISTENER))),
                stored.getPreviousPeers().isEmpty());
    }

    private static List<ReplicaAddress> addresses(Collection<RaftPeer> peers) {
        return peers.stream().map(ReplicaAddress::of).toList();
    }

    private static ReplicaStatus.Role role(DivisionInfo info) {
        if (info.isLeaderReady()) {
            return ReplicaStatus.Role.LEADS;
        }
        return info.isListener() ? ReplicaStatus.Role.LISTENS : ReplicaStatus.Role.VOTES;
    }

    /**
     * Returns whether a replica has applied what its leader had committed when it wrote to this
     * server last. False while no leader has written since the start of the replica.
     */
    public boolean isCurrent(ShardGroup group) {
        RaftServer.Division division;
        try {
            division = division(group);
        } catch (IOException _) {
            return false;
        }
        DivisionInfo info = division.getInfo();
        RaftPeerId leader = info.getLeaderId();
        if (!started.containsKey(group.id()) || leader == null) {
            return false;
        }
        long applied = info.getLastAppliedIndex();
        return info.isLeaderReady()
                || division.getCommitInfos().stream()
                        .filter(each -> RaftPeerId.valueOf(each.getServer().getId()).equals(leader))
                        .anyMatch(each -> each.getCommitIndex() <= applied);
    }

    /**
     * Makes copies of the files of a replica, for a new one. They and the entries after them are
     * kept until they are closed, for an hour at most.
     *
     * @param store whose journals these groups order
     * @param to an empty directory; hard links into it should be possible
     * @throws IOException if the replica is not started, or has no entries yet
     */
    public ReplicaSource export(ShardGroup group, ReplicatedStore store, LogFiles to)
            throws IOException {
        RatisLog log = started.get(group.id());
        if (log == null) {
            throw new IOException(group + " is not started");
        }
        store.flush();
        Deadline end = Deadline.after(ReplicaExport.Lease.LONGEST);
        RatisLog.Pin pin =
                log.pin(end).orElseThrow(() -> new IOException(group + " has no entries to copy"));
        boolean isMade = false;
        try {
            ReplicaSource made =
                    ReplicaExport.make(
                            settings.files(),
                            to,
                            pin.record(),
                            transfer -> store.export(group.shard(), transfer),
                            new ReplicaExport.Lease(end, () -> log.unpin(pin)));
            isMade = true;
            return made;
        } finally {
            if (!isMade) {
                log.unpin(pin);
            }
        }
    }

    /** Makes a value of term, index and bytes of a record. */
    public interface RecordReader<T> {
        T read(long term, long index, byte[] bytes);
    }

    /**
     * Returns what a replica stored when it forgot entries last; empty if it has all.
     *
     * @throws IOException if it is not started
     */
    public <T> Optional<T> record(ShardGroup group, RecordReader<T> reader) throws IOException {
        RatisLog log = started.get(group.id());
        if (log == null) {
            throw new IOException(group + " is not started");
        }
        return log.content()
                .map(each -> reader.read(each.term(), each.index(), each.bytes().getFirst()));
    }

    /**
     * Stores a record of another replica, for a log that consists of its record only. Called before
     * the log is started in a new data directory.
     */
    public void install(ShardGroup group, long term, long index, byte[] record) throws IOException {
        ShardRecord.open(settings.files(), group.fileName())
                .write(ShardRecord.Content.of(term, index, record));
    }

    /** Returns what installs a replica of a shard in this data directory. */
    public ReplicaInstallation installation(ShardGroup group) {
        return new ReplicaInstallation(settings.files(), group.fileName());
    }

    /**
     * Lets another replica lead. Meanwhile nothing is written.
     *
     * @param peer one of the voters
     * @param patience at most {@link #TRANSFER_MAX} counts
     * @throws IOException if this replica does not lead, the other one does not answer or misses
     *     entries, or it did not take over in time
     */
    public void transfer(ShardGroup group, String peer, Duration patience) throws IOException {
        if (!successors(group).contains(RaftPeerId.valueOf(peer))) {
            throw new IOException("replica %s cannot lead %s now".formatted(peer, group));
        }
        transferTo(group, peer, patience.compareTo(TRANSFER_MAX) < 0 ? patience : TRANSFER_MAX);
    }

    /** Lets a replica lead a group, whether or not it has answered lately. */
    void transferTo(ShardGroup group, String peer, Duration longest) throws IOException {
        var request =
                new TransferLeadershipRequest(
                        client,
                        server.getId(),
                        group.id(),
                        calls.incrementAndGet(),
                        RaftPeerId.valueOf(peer),
                        longest.toMillis());
        try {
            check(await(server.transferLeadershipAsync(request), longest.plusSeconds(1)));
        } finally {
            patches.failedTransfer().forget(division(group));
        }
    }

    /** Returns how many messages to followers this replica has made or tried to make as leader. */
    long attempts(ShardGroup group) {
        return Optional.ofNullable(machines.get(group.id()))
                .flatMap(GroupMachine::leadership)
                .map(Leadership::attempts)
                .orElse(0L);
    }

    private List<RaftPeerId> successors(ShardGroup group) throws IOException {
        RaftServer.Division division = division(group);
        GroupMachine machine = machines.get(group.id());
        if (machine == null || !division.getInfo().isLeaderReady()) {
            return List.of();
        }
        Map<RaftPeerId, RaftPeer> voters =
                division.getRaftConf().getCurrentPeers().stream()
                        .collect(Collectors.toMap(RaftPeer::getId, Function.identity()));
        return machine.leadership().stream()
                .flatMap(led ->
                        led.successors(division.getRaftLog().getLastCommittedIndex()).stream())
                .filter(each -> voters.containsKey(each) && listens(voters.get(each)))
                .toList();
    }

    /**
     * Returns whether a replica takes connections. One that has just ended does not, although it
     * has answered a short time ago.
     */
    private static boolean listens(RaftPeer peer) {
        InetSocketAddress address = NetUtils.createSocketAddr(peer.getAddress());
        try (var connection = new Socket()) {
            connection.connect(address, (int) CONNECT_MAX.toMillis());
            return true;
        } catch (IOException e) {
            LOG.debug("{} cannot be reached", peer, e);
            return false;
        }
    }

    /** Hands over all groups, and from then on refuses groups that others hand over. */
    public void stopLeading() {
        handOver();
        refused.stop();
        // Others may have handed over some meanwhile.
        handOver();
    }

    /**
     * Lets other replicas lead all groups that this server leads, as far as they can. Returns when
     * they lead, or after {@link #HAND_OVER_MAX}. A replica that misses entries may get them
     * meanwhile.
     */
    public void handOver() {
        CompletableFuture<?>[] all =
                started.values().stream()
                        .map(log ->
                                CompletableFuture.runAsync(() -> handOver(log.group()), executor))
                        .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(all).join();
    }

    private void handOver(ShardGroup group) {
        long end = System.nanoTime() + HAND_OVER_MAX.toNanos();
        for (int attempt = 0; isFollowed(group) && System.nanoTime() < end; attempt++) {
            try {
                List<RaftPeerId> successors = successors(group);
                if (!successors.isEmpty()) {
                    RaftPeerId next = successors.get(attempt % successors.size());
                    transfer(group, next.toString(), TRANSFER_MAX);
                    return;
                }
            } catch (IOException e) {
                LOG.info("{} is not handed over yet: {}", group, e.getMessage());
            }
            LockSupport.parkNanos(HAND_OVER_PAUSE.toNanos());
        }
    }

    /** Returns whether this server leads a group, and another replica follows. */
    private boolean isFollowed(ShardGroup group) {
        try {
            GroupMachine machine = machines.get(group.id());
            RaftServer.Division division = division(group);
            return machine != null
                    && division.getInfo().isLeader()
                    && !Leadership.isAlone(division.getRaftConf(), division.getId())
                    && machine.leadership()
                            .map(led -> led.isFollowed(RatisGroups::listens))
                            .orElse(true);
        } catch (IOException _) {
            // The replica is not here any more.
            return false;
        }
    }

    /**
     * Changes the replicas. A new one must have copies of the runs and be started before. When this
     * returns, it has all entries. A listener that becomes a voter votes from then on. A voter that
     * becomes a listener has to be started again.
     *
     * @param members this replica is one of the voters: a leader is voted out by the next one.
     *     Ratis would end its group with a lock that other requests wait for, and then wait for
     *     these
     * @throws IOException if this replica does not lead, or a new one did not catch up in time.
     *     Then the change may still happen
     */
    public void change(ShardGroup group, GroupMembers members, Duration patience)
            throws IOException {
        String own = server.getId().toString();
        if (!members.hasVoter(own)) {
            throw new IllegalArgumentException("%s is not one of %s".formatted(own, members));
        }
        var request =
                new SetConfigurationRequest(
                        client,
                        server.getId(),
                        group.id(),
                        calls.incrementAndGet(),
                        SetConfigurationRequest.Arguments.newBuilder()
                                .setServersInNewConf(
                                        members.voters().stream()
                                                .map(ReplicaAddress::toPeer)
                                                .toList())
                                .setListenersInNewConf(
                                        members.listeners().stream()
                                                .map(ReplicaAddress::toListener)
                                                .toList())
                                .build());
        check(await(server.setConfigurationAsync(request), patience));
    }

    /** Changes the voters of a group without listeners. */
    public void change(ShardGroup group, List<ReplicaAddress> voters, Duration patience)
            throws IOException {
        change(group, GroupMembers.of(voters), patience);
    }

    private static void check(RaftClientReply reply) throws IOException {
        if (!reply.isSuccess()) {
            throw new IOException(String.valueOf(reply.getException()), reply.getException());
        }
    }

    private static RaftClientReply await(Future<RaftClientReply> reply, Duration patience)
            throws IOException {
        try {
            return reply.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IOException("no reply in %d ms".formatted(patience.toMillis()), e);
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Returns the replica of a group, as Ratis sees it. */
    RaftServer.Division division(ShardGroup group) throws IOException {
        return server.getDivision(group.id());
    }

    RaftClientRequest.Builder request(ShardGroup group) {
        return RaftClientRequest.newBuilder()
                .setClientId(client)
                .setServerId(server.getId())
                .setGroupId(group.id())
                .setCallId(calls.incrementAndGet());
    }

    ReplicaEvents events() {
        return events;
    }

    Executor executor() {
        return executor;
    }

    RatisTimes times() {
        return settings.times();
    }

    /**
     * Sets whether entries are compressed from now on. All replicas must be able to read them. They
     * are not at first.
     */
    public void compress(boolean isWanted) {
        isCompressing = isWanted;
    }

    boolean isCompressing() {
        return isCompressing;
    }

    long retainedBytes() {
        return settings.retainedBytes();
    }

    /** Ends all replicas. The logs should be closed before. */
    @Override
    public void close() throws IOException {
        server.close();
        executor.shutdown();
    }
}
