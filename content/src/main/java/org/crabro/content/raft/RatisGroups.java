package org.crabro.content.raft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;
import org.crabro.content.journal.LogFiles;
import org.crabro.content.recent.DocumentStore;
import org.crabro.content.replica.ReplicaExport;
import org.crabro.content.replica.ReplicaInstallation;
import org.crabro.content.replica.ReplicaSource;
import org.crabro.content.replica.ShardRecord;
import org.crabro.content.replication.ConsensusLog;
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
 */
public final class RatisGroups implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RatisGroups.class);
    private static final long KIBIBYTE = 1 << 10;
    private static final long MEBIBYTE = 1 << 20;

    /** With what Ratis adds. */
    private static final SizeInBytes LARGEST_ENTRY =
            SizeInBytes.valueOf(EntryParts.STORED_BYTES_MAX + KIBIBYTE);

    /** How long starting or ending a group may take. */
    private static final Duration GROUP_PATIENCE = Duration.ofSeconds(60);

    /** How long nothing is written at most while another replica takes over. */
    static final Duration TRANSFER_MAX = Duration.ofSeconds(2);

    /** A process that was stopped for longer than that ends. */
    private static final Duration PAUSE_MAX = Duration.ofMinutes(10);

    private final RatisSettings settings;
    private final ReplicaEvents events;
    private final RaftServer server;
    private final ClientId client = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();
    private final Map<RaftGroupId, GroupMachine> machines;

    /** The groups whose start has ended. */
    private final Map<RaftGroupId, RatisLog> started = new ConcurrentHashMap<>();

    private final ExecutorService executor;

    private RatisGroups(
            RatisSettings settings,
            ReplicaEvents events,
            RaftServer server,
            Map<RaftGroupId, GroupMachine> machines) {
        this.settings = settings;
        this.events = events;
        this.server = server;
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
     */
    public static RatisGroups open(RatisSettings settings, ReplicaEvents events)
            throws IOException {
        RaftProperties properties = properties(settings);
        var parameters = new Parameters();
        settings.tls()
                .ifPresent(tls ->
                        GrpcConfigKeys.TLS.setConf(
                                parameters,
                                new GrpcTlsConfig(
                                        tls.key().toFile(),
                                        tls.certificate().toFile(),
                                        tls.authority().toFile(),
                                        true)));
        var machines = new ConcurrentHashMap<RaftGroupId, GroupMachine>();
        // The server would start the groups that it finds, without a listener.
        Path none = settings.directory().resolve("none");
        RaftServerConfigKeys.setStorageDir(properties, List.of(none.toFile()));
        RaftServer server =
                RaftServer.newBuilder()
                        .setServerId(RaftPeerId.valueOf(settings.self().peer()))
                        .setStateMachineRegistry(machines::get)
                        .setProperties(properties)
                        .setParameters(parameters)
                        .build();
        RaftServerConfigKeys.setStorageDir(properties, List.of(settings.directory().toFile()));
        boolean isStarted = false;
        try {
            server.start();
            isStarted = true;
            return new RatisGroups(settings, events, server, machines);
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
                properties, settings.tls().isPresent() ? settings.self().host() : "127.0.0.1");
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
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, time(times.electionMin()));
    }

    private static void setLog(RaftProperties properties) {
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf(8 * MEBIBYTE));
        RaftServerConfigKeys.Log.setSegmentCacheNumMax(properties, 2);
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
     * @param voters the replicas when the group was created; empty for a replica that is added to
     *     an existing group. Ignored if the log knows its voters
     * @throws IOException if the record of the shard cannot be read
     */
    public ConsensusLog log(ShardGroup group, List<ReplicaAddress> voters) throws IOException {
        return new RatisLog(
                this, group, voters, ShardRecord.open(settings.files(), group.fileName()));
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

    /** Deletes the log of a group that is not started. */
    void deleteLog(ShardGroup group) throws IOException {
        FileTree.delete(settings.directory().resolve(group.fileName()));
    }

    /** Adds a group to the server, which starts it. */
    void add(RatisLog log, List<ReplicaAddress> voters, GroupMachine machine) throws IOException {
        RaftGroupId id = log.group().id();
        if (machines.putIfAbsent(id, machine) != null) {
            throw new IOException("it is started already");
        }
        boolean isStarted = false;
        try {
            RaftGroup added =
                    RaftGroup.valueOf(id, voters.stream().map(ReplicaAddress::toPeer).toList());
            var request =
                    GroupManagementRequest.newAdd(
                            client, server.getId(), calls.incrementAndGet(), added, false);
            check(await(server.groupManagementAsync(request), GROUP_PATIENCE));
            isStarted = true;
            started.put(id, log);
        } finally {
            if (!isStarted) {
                machines.remove(id);
            }
        }
    }

    /** Ends a group, and keeps its files. */
    void remove(ShardGroup group, RatisLog log) {
        started.remove(group.id(), log);
        var request =
                GroupManagementRequest.newRemove(
                        client, server.getId(), calls.incrementAndGet(), group.id(), false, false);
        try {
            RaftClientReply _ = await(server.groupManagementAsync(request), GROUP_PATIENCE);
        } catch (IOException e) {
            LOG.warn("{} could not be ended", group, e);
        }
        machines.remove(group.id());
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
                        info.isLeaderReady(),
                        Optional.ofNullable(info.getLeaderId()).map(RaftPeerId::toString),
                        info.getCurrentTerm(),
                        info.getLastAppliedIndex(),
                        division.getRaftLog().getLastCommittedIndex(),
                        configuration(division.getRaftConf())));
    }

    private static ReplicaStatus.Configuration configuration(RaftConfiguration found) {
        return new ReplicaStatus.Configuration(
                found.getLogEntryIndex(),
                found.getCurrentPeers().stream().map(ReplicaAddress::of).toList(),
                found.getPreviousPeers().isEmpty());
    }

    /**
     * Makes copies of the files of a replica, for a new one. They and the entries after them are
     * kept until they are closed, for an hour at most.
     *
     * @param store whose journals these groups order
     * @param to an empty directory; hard links into it should be possible
     * @throws IOException if the replica is not started, or has no entries yet
     */
    public ReplicaSource export(ShardGroup group, DocumentStore store, LogFiles to)
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
        Duration longest = patience.compareTo(TRANSFER_MAX) < 0 ? patience : TRANSFER_MAX;
        var request =
                new TransferLeadershipRequest(
                        client,
                        server.getId(),
                        group.id(),
                        calls.incrementAndGet(),
                        RaftPeerId.valueOf(peer),
                        longest.toMillis());
        check(await(server.transferLeadershipAsync(request), longest.plusSeconds(1)));
    }

    private List<RaftPeerId> successors(ShardGroup group) throws IOException {
        RaftServer.Division division = division(group);
        GroupMachine machine = machines.get(group.id());
        return machine == null || !division.getInfo().isLeaderReady()
                ? List.of()
                : machine.leadership()
                        .map(led -> led.successors(division.getRaftLog().getLastCommittedIndex()))
                        .orElse(List.of());
    }

    /**
     * Lets other replicas lead all groups that this server leads, as far as they can. Returns when
     * they lead, or after {@link #TRANSFER_MAX}.
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
        try {
            List<RaftPeerId> successors = successors(group);
            if (!successors.isEmpty()) {
                transfer(group, successors.getFirst().toString(), TRANSFER_MAX);
            }
        } catch (IOException e) {
            LOG.info("{} is not handed over: {}", group, e.getMessage());
        }
    }

    /**
     * Changes the voters. A new one must have copies of the runs and be started before. When this
     * returns, it has all entries.
     *
     * @param voters this replica is one of them: a leader is voted out by the next one. Ratis would
     *     end its group with a lock that other requests wait for, and then wait for these
     * @throws IOException if this replica does not lead, or a new one did not catch up in time.
     *     Then the change may still happen
     */
    public void change(ShardGroup group, List<ReplicaAddress> voters, Duration patience)
            throws IOException {
        String own = server.getId().toString();
        if (voters.stream().noneMatch(each -> each.peer().equals(own))) {
            throw new IllegalArgumentException("%s is not one of %s".formatted(own, voters));
        }
        var request =
                new SetConfigurationRequest(
                        client,
                        server.getId(),
                        group.id(),
                        calls.incrementAndGet(),
                        voters.stream().map(ReplicaAddress::toPeer).toList());
        check(await(server.setConfigurationAsync(request), patience));
    }

    private static void check(RaftClientReply reply) throws IOException {
        if (!reply.isSuccess()) {
            throw new IOException(String.valueOf(reply.getException()), reply.getException());
        }
    }

    private static RaftClientReply await(
            CompletableFuture<RaftClientReply> reply, Duration patience) throws IOException {
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
