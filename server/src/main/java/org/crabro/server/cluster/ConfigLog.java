package org.crabro.server.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.crabro.content.replication.log.ConsensusLog;
import org.crabro.content.replication.raft.PeerName;
import org.crabro.content.replication.raft.RatisGroups;
import org.crabro.content.replication.raft.RatisSettings;
import org.crabro.content.replication.raft.RatisTimes;
import org.crabro.content.replication.raft.ReplicaAddress;
import org.crabro.content.replication.raft.ReplicaEvents;
import org.crabro.content.replication.raft.ReplicaStatus;
import org.crabro.content.replication.raft.ShardGroup;
import org.crabro.content.storage.journal.MappedLogFiles;
import org.crabro.protocol.cluster.Replica;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.server.cluster.PeerHello.Founding;
import org.crabro.server.cluster.PeerHello.Member;
import tools.jackson.core.JacksonException;

/**
 * The log of the config servers, and who takes part in it. Safe for use by many threads.
 *
 * <pre>
 *   group.json   the members with which the group began
 *   peer         the name of this directory
 *   raft/        the log
 *   shards/      the record of the cluster in place of forgotten entries
 * </pre>
 */
final class ConfigLog implements AutoCloseable {
    /** The name of the ports of config servers among the ports of a host. */
    static final String PORTS = "/config";

    /** The entries that are kept for a server that was down, in bytes. */
    private static final long RETAINED_BYTES = 64L << 20;

    private static final Duration CHANGE_TIME = Duration.ofSeconds(10);
    private static final Duration TRANSFER_TIME = Duration.ofSeconds(2);

    private final HostSettings host;
    private final Path directory;
    private final MappedLogFiles files;
    private final RatisGroups groups;
    private final SharedRecord.Leading leading;

    // Guarded by this.
    private Optional<Membership> membership;
    private Optional<Started> started = Optional.empty();

    /**
     * What the directory knows of the group.
     *
     * @param isJoining whether this directory is new, and replaces a former one of the host
     */
    private record Membership(Founding founding, boolean isJoining) {}

    /** A log that takes part. */
    private record Started(ShardGroup group, ConsensusLog log, SharedRecord record) {}

    private ConfigLog(
            HostSettings host,
            Path directory,
            MappedLogFiles files,
            RatisGroups groups,
            SharedRecord.Leading leading,
            Optional<Membership> membership) {
        this.host = host;
        this.directory = directory;
        this.files = files;
        this.groups = groups;
        this.leading = leading;
        this.membership = membership;
    }

    /**
     * Opens the log, which takes part at once if the directory knows its group.
     *
     * @param peers the other config servers
     * @param failed is called with the reason after a failure that only a restart repairs
     * @throws IOException if the data cannot be opened, or the port is in use
     */
    static ConfigLog open(
            HostSettings host,
            RatisSettings.Peers peers,
            Path directory,
            SharedRecord.Leading leading,
            Consumer<String> failed)
            throws IOException {
        Optional<Membership> membership = file(directory).read(Membership.class);
        var files = new MappedLogFiles(directory);
        try {
            String peer = PeerName.of(files, host.name(), new SecureRandom());
            RatisGroups groups =
                    RatisGroups.open(
                            new RatisSettings(
                                    new ReplicaAddress(
                                            peer,
                                            host.address(),
                                            host.ports().of(PORTS).replication()),
                                    directory.resolve("raft"),
                                    files,
                                    peers,
                                    RatisTimes.DEFAULT,
                                    RETAINED_BYTES),
                            new Events(directory, failed));
            host.ports().keepReplication(PORTS, groups.self().port());
            var log = new ConfigLog(host, directory, files, groups, leading, membership);
            log.takePart();
            return log;
        } catch (IOException | RuntimeException e) {
            files.close();
            throw e;
        }
    }

    private static JsonValueFile file(Path directory) {
        return new JsonValueFile(directory.resolve("group.json"));
    }

    /** Reports what happens to the log. */
    private record Events(Path directory, Consumer<String> failed) implements ReplicaEvents {
        @Override
        public void failed(ShardGroup group, String reason) {
            failed.accept("the log of the config servers: " + reason);
        }

        @Override
        public void behind(ShardGroup group) {
            failed.accept(
                    "the other config servers have forgotten entries that this one needs; delete '%s', then start it again"
                            .formatted(directory));
        }

        @Override
        public void removed(ShardGroup group) {
            failed.accept(
                    "another data directory has taken the place of '%s' among the config servers"
                            .formatted(directory));
        }
    }

    /** Returns this server as a member. */
    Member self(int forwardedPort) {
        ReplicaAddress own = groups.self();
        return new Member(
                host.name(),
                own.peer(),
                own.host() + ":" + own.port(),
                host.address() + ":" + forwardedPort);
    }

    /** Returns how the group began; empty before this server knows it. */
    synchronized Optional<Founding> founding() {
        return membership.map(Membership::founding);
    }

    /** Returns whether this server replaces a former one of its host, and does not vote yet. */
    synchronized boolean isJoining() throws IOException {
        if (membership.isEmpty() || !membership.get().isJoining()) {
            return false;
        }
        boolean votes = voters().stream().anyMatch(each -> isSelf(each.peer()));
        if (votes) {
            keep(new Membership(membership.get().founding(), false));
        }
        return !votes;
    }

    /** Takes part in a group that began with this server. */
    synchronized void createGroup(Founding founding) throws IOException {
        keep(new Membership(founding, false));
        takePart();
    }

    /**
     * Takes part in a group that began without this data directory, when its leader adds it.
     *
     * @param record what the leader has in place of forgotten entries, if it has forgotten any
     */
    synchronized void join(Founding founding, Optional<LogSnapshot> record) throws IOException {
        if (record.isPresent()) {
            check(founding, record.get());
            groups.install(
                    group(founding),
                    record.get().term(),
                    record.get().index(),
                    record.get().content());
        }
        keep(new Membership(founding, true));
        takePart();
    }

    /** Rejects a record that is not of the group, or not of one that has entries. */
    private static void check(Founding founding, LogSnapshot snapshot) throws IOException {
        ClusterRecord record;
        try {
            record = ClusterJson.read(snapshot.content(), ClusterRecord.class);
        } catch (JacksonException | IllegalArgumentException e) {
            throw new IOException("the record of the leader cannot be read: " + e.getMessage(), e);
        }
        if (!record.clusterId().equals(founding.clusterId())
                || snapshot.term() < 1
                || snapshot.index() < record.revision()) {
            throw new IOException(
                    "the record of the leader is of cluster %s, revision %d after entry %d of term %d; this cannot be of cluster %s"
                            .formatted(
                                    ReportForm.shown(record.clusterId()),
                                    record.revision(),
                                    snapshot.index(),
                                    snapshot.term(),
                                    founding.clusterId()));
        }
    }

    private void keep(Membership next) throws IOException {
        file(directory).write(next);
        membership = Optional.of(next);
    }

    private static ShardGroup group(Founding founding) {
        return new ShardGroup("/config/" + founding.clusterId(), 0);
    }

    private synchronized void takePart() throws IOException {
        if (membership.isEmpty() || started.isPresent()) {
            return;
        }
        Founding founding = membership.get().founding();
        List<ReplicaAddress> first =
                membership.get().isJoining()
                        ? List.of()
                        : founding.members().stream().map(ConfigLog::address).toList();
        ShardGroup group = group(founding);
        ConsensusLog log = groups.log(group, first);
        var record = new SharedRecord(log, ClusterRecord.of(founding.clusterId()), leading);
        log.start(record);
        started = Optional.of(new Started(group, log, record));
    }

    private static ReplicaAddress address(Member member) {
        NodeAddress address = HostSettings.address(member.log());
        return new ReplicaAddress(member.peer(), address.host(), address.port());
    }

    /** Returns the record; empty before this server takes part. */
    synchronized Optional<SharedRecord> record() {
        return started.map(Started::record);
    }

    /** Returns what this server has in place of forgotten entries. */
    synchronized Optional<LogSnapshot> forgotten() throws IOException {
        return started.isEmpty()
                ? Optional.empty()
                : groups.record(started.get().group(), LogSnapshot::of);
    }

    private Optional<ReplicaStatus> status() {
        return started.flatMap(each -> groups.status(each.group()));
    }

    /** Returns the peers that vote now; none before this server takes part. */
    synchronized List<ReplicaAddress> voters() {
        return status().map(ReplicaStatus::voters).orElse(List.of());
    }

    /** Returns whether no change of the voters is under way, as far as this server knows. */
    synchronized boolean isSettled() {
        return status().filter(ReplicaStatus::isSettled).isPresent();
    }

    /** Returns the peer that leads; empty if it is not known. */
    synchronized Optional<String> leader() {
        return status().flatMap(ReplicaStatus::leader);
    }

    boolean isSelf(String peer) {
        return groups.self().peer().equals(peer);
    }

    /** Returns the host of a peer. */
    static String host(String peer) {
        return Replica.hostOf(peer);
    }

    /**
     * Lets a new data directory of a host take the place of the former one. Called on the leader.
     *
     * @throws IOException if it did not catch up in time
     */
    void replace(Member joining) throws IOException {
        ShardGroup group;
        List<ReplicaAddress> next;
        synchronized (this) {
            group = started.orElseThrow().group();
            next = new ArrayList<>(voters());
        }
        next.removeIf(each -> host(each.peer()).equals(joining.host()));
        next.add(address(joining));
        groups.change(group, next, CHANGE_TIME);
    }

    /** Lets another server lead if this one does. */
    void handOver() {
        Optional<Started> now;
        List<ReplicaAddress> others;
        synchronized (this) {
            now = started.filter(_ -> status().filter(ReplicaStatus::isLeader).isPresent());
            others = voters().stream().filter(each -> !isSelf(each.peer())).toList();
        }
        for (ReplicaAddress other : others) {
            if (now.isEmpty()) {
                return;
            }
            try {
                groups.transfer(now.get().group(), other.peer(), TRANSFER_TIME);
                return;
            } catch (IOException _) {
                // It may be down. Without a transfer, the others elect a leader later.
            }
        }
    }

    @Override
    public void close() {
        Optional<Started> ended;
        synchronized (this) {
            ended = started;
            started = Optional.empty();
        }
        ended.ifPresent(each -> each.log().close());
        try {
            groups.close();
            files.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
