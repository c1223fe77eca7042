package org.crabro.server.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.crabro.container.admin.ConfigPort;
import org.crabro.container.admin.ConfigServerSettings;
import org.crabro.container.admin.DeployService;
import org.crabro.container.admin.LogRing;
import org.crabro.container.admin.UnavailableException;
import org.crabro.container.file.DurableFiles;
import org.crabro.container.reindex.ReindexRegister;
import org.crabro.content.replication.raft.RatisSettings;
import org.crabro.content.replication.raft.ReplicaAddress;
import org.crabro.protocol.transport.AllowedCallers;
import org.crabro.protocol.transport.ClusterHosts;
import org.crabro.server.cluster.PeerHello.Founding;
import org.crabro.server.cluster.PeerHello.Member;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One of several config servers. They agree on the record of the cluster by a log; the one that
 * leads has the controller and deploys packages.
 *
 * <p>Three threads: one begins and ends the work of a leader, one says hello to the other servers
 * every two seconds, or twice a second until all answer and one leads, and one looks for hosts that
 * are silent. None of them runs before {@link #start}.
 */
final class ConfigGroup implements ConfigAccess, ConfigService.PeerAccess, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ConfigGroup.class);

    /** The time for a majority to agree on a record. */
    private static final Duration AGREEMENT = Duration.ofSeconds(5);

    private static final Duration HELLO_INTERVAL = Duration.ofMillis(500);

    /** How many intervals pass between two hellos while all answer and one leads. */
    private static final int QUIET_INTERVALS = 4;

    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);
    private static final Duration STOP = Duration.ofSeconds(10);

    /** What an archive has besides the bytes of its files, at most. */
    private static final long ARCHIVE_OVERHEAD = 64L << 20;

    private final ClusterSettings cluster;
    private final Parts parts;
    private final ArchiveFiles archives;
    private final ConfigPeers peers;
    private final ConfigLog log;
    private final ScheduledExecutorService work = thread("config-leader");
    private final ScheduledExecutorService hellos = thread("config-hellos");

    /** The term that this server leads, 0 for none. */
    private volatile long term;

    /** Since the last hello. For the thread that says hello. */
    private int intervals;

    private volatile Optional<Leader> leader = Optional.empty();
    private volatile Optional<ConfigPort> port = Optional.empty();

    /**
     * What the process provides.
     *
     * @param settings of the config server
     * @param recordedCluster the cluster whose decisions this server has; empty if it has none
     * @param failed takes the reason of a failure that only a restart repairs
     */
    record Parts(
            ConfigServerSettings settings,
            ReindexRegister register,
            LogRing logs,
            String recordedCluster,
            Consumer<String> failed) {}

    /** What this server has while it leads. */
    private record Leader(TermRecord record, ClusterController controller, DeployService service) {}

    private ConfigGroup(ClusterSettings cluster, Parts parts, HostSettings host, Path directory)
            throws IOException {
        this.cluster = cluster;
        this.parts = parts;
        this.archives =
                ArchiveFiles.open(
                        directory.resolve("archives"),
                        parts.settings().files().limits().bytes() + ARCHIVE_OVERHEAD);
        this.peers = new ConfigPeers(cluster);
        this.log =
                ConfigLog.open(
                        host,
                        RatisSettings.Peers.of(
                                cluster.security(),
                                AllowedCallers.CONFIG_SERVERS,
                                new ClusterHosts(Optional::empty, cluster.configHosts())),
                        directory.resolve("log"),
                        new Terms(),
                        parts.failed());
    }

    private static ScheduledExecutorService thread(String name) {
        return Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name(name).daemon().factory());
    }

    /**
     * Opens the data of a config server, which takes part in its group if it knows it.
     *
     * @param directory of config servers; created if missing
     * @throws IOException if the data cannot be opened, or a port is in use
     */
    static ConfigGroup open(ClusterSettings cluster, Parts parts, HostSettings host, Path directory)
            throws IOException {
        if (Files.exists(directory.resolve("cluster.json"))) {
            throw new IOException(
                    "'%s' is of the only config server of a cluster; it cannot become one of %d"
                            .formatted(directory, cluster.configServers().size()));
        }
        return new ConfigGroup(cluster, parts, host, directory);
    }

    /** Begins to find the other config servers, and to lead if they agree. Called once. */
    void start(ConfigPort opened) {
        port = Optional.of(opened);
        long millis = HELLO_INTERVAL.toMillis();
        var _ = hellos.scheduleWithFixedDelay(this::meet, 0, millis, TimeUnit.MILLISECONDS);
        long led = term;
        if (led != 0) {
            perform(() -> begin(led));
        }
    }

    /** Runs a part of the work of a leader later, unless this is closed. */
    private void perform(Runnable part) {
        try {
            work.execute(part);
        } catch (RejectedExecutionException _) {
            LOG.debug("the config server stops");
        }
    }

    /** Follows the terms of the log. Called by its threads. */
    private final class Terms implements SharedRecord.Leading {
        @Override
        public void begins(long led) {
            term = led;
            perform(() -> begin(led));
        }

        @Override
        public void ends() {
            term = 0;
            perform(ConfigGroup.this::end);
        }

        @Override
        public void changed(ClusterRecord record) {
            // The archives that it names are copied at the next hello.
        }
    }

    // The work of a leader.

    private void begin(long led) {
        if (term != led || leader.isPresent() || port.isEmpty()) {
            return;
        }
        try {
            lead(led);
        } catch (IOException | RuntimeException e) {
            LOG.warn("this config server cannot lead yet: {}", e.toString());
            var _ =
                    work.schedule(
                            () -> begin(led), RETRY_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void lead(long led) throws IOException {
        SharedRecord record = log.record().orElseThrow();
        DeployedPackages packages = record.record().packages();
        restore(packages);
        var store = new TermRecord(record, led);
        ClusterController controller =
                ClusterController.open(
                        store,
                        cluster.configServers().stream().map(ClusterSettings.Named::name).toList(),
                        System::nanoTime,
                        InstantSource.system());
        DeployService service =
                DeployService.open(
                        parts.settings(),
                        new DeployService.Uses(
                                new ClusterActivation(controller),
                                parts.register(),
                                new SharedPackages(controller, packages, this::keepOnMajority)),
                        Optional.of(new ClusterStatus(controller, this::servers)),
                        parts.logs());
        leader = Optional.of(new Leader(store, controller, service));
        port.orElseThrow().answer(service);
        LOG.info("this config server leads, term {}", led);
    }

    /** Fills the directory of packages by the record. */
    private void restore(DeployedPackages packages) throws IOException {
        SortedMap<Long, String> needed = new TreeMap<>();
        packages.active().ifPresent(each -> needed.put(each.number(), each.archive()));
        packages.sessions().forEach((number, each) -> needed.put(number, each.archive()));
        for (String archive : needed.values()) {
            if (!archives.has(archive) && !peers.fetch(archive, archives)) {
                throw new IOException(
                        "no config server that answers has archive %s of a package"
                                .formatted(archive));
            }
        }
        Path directory = parts.settings().files().packages();
        DurableFiles.deleteTree(directory);
        Files.createDirectories(directory);
        for (var each : needed.entrySet()) {
            archives.unpack(
                    each.getValue(),
                    directory.resolve(Long.toString(each.getKey())),
                    parts.settings().files().limits());
        }
    }

    private void end() {
        Optional<Leader> ended = leader;
        leader = Optional.empty();
        port.ifPresent(ConfigPort::forward);
        ended.ifPresent(each -> {
            each.service().close();
            LOG.info("this config server does not lead any more");
        });
    }

    /** Writes records in one term, until one of them is not certainly written. */
    private final class TermRecord implements RecordStore {
        private final SharedRecord shared;
        private final long led;
        private volatile boolean hasEnded;

        TermRecord(SharedRecord shared, long led) {
            this.shared = shared;
            this.led = led;
        }

        @Override
        public ClusterRecord record() {
            return shared.record();
        }

        @Override
        public void write(ClusterRecord next) throws IOException {
            if (hasEnded) {
                throw refused();
            }
            CompletableFuture<SharedRecord.Outcome> outcome = shared.propose(led, next);
            SharedRecord.Outcome earlier;
            try {
                earlier = outcome.get(AGREEMENT.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                // The controller may have another record than the log from here on.
                hasEnded = true;
                perform(() -> {
                    if (leader.filter(each -> each.record().equals(this)).isPresent()) {
                        end();
                    }
                });
                var _ = outcome.whenComplete((_, _) -> perform(() -> begin(led)));
                throw new UnavailableException(
                        "no majority of the config servers answered in %d ms; whether the change is made is not known"
                                .formatted(AGREEMENT.toMillis()),
                        e);
            } catch (ExecutionException e) {
                throw new IllegalStateException("outcomes are never exceptions", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                hasEnded = true;
                throw new UnavailableException("the config server stops", e);
            }
            hasEnded = earlier != SharedRecord.Outcome.WRITTEN;
            switch (earlier) {
                case WRITTEN -> {}
                case REFUSED -> throw refused();
                case UNKNOWN ->
                        throw new UnavailableException(
                                "another config server leads since; whether the change is made is not known");
            }
        }

        private UnavailableException refused() {
            return new UnavailableException(
                    "this config server does not lead any more; nothing was changed");
        }
    }

    private String keepOnMajority(Path files) throws IOException {
        String archive = archives.add(files);
        int majority = cluster.configServers().size() / 2 + 1;
        int count = 1 + peers.keep(archive, archives.path(archive), majority - 1);
        if (count < majority) {
            throw new UnavailableException(
                    "%d of %d config servers have the package, and a majority must; nothing was changed"
                            .formatted(count, cluster.configServers().size()));
        }
        return archive;
    }

    /** Decides again, because time has passed. */
    void look() {
        leader.ifPresent(each -> {
            try {
                each.controller().look();
            } catch (UnavailableException e) {
                LOG.debug("nothing was decided", e);
            } catch (IOException | RuntimeException e) {
                LOG.error("the state of the cluster could not be recorded", e);
                parts.failed().accept("the state of the cluster could not be recorded: " + e);
            }
        });
    }

    // The calls of other servers.

    @Override
    public String name() {
        return cluster.host();
    }

    @Override
    public boolean confirms(String server) {
        return log.leader().map(ConfigLog::host).filter(server::equals).isPresent();
    }

    @Override
    public ConfigReply report(HostReport report) throws IOException {
        return leading().controller().report(report);
    }

    @Override
    public void copyPackage(OutputStream to) throws IOException {
        LocalConfig.copy(leading().service()::copyActive, to);
    }

    /** Returns the hosts of the cluster: of those that do not lead, the config servers alone. */
    Set<String> members() {
        return leader.<Set<String>>map(each -> each.controller().members())
                .orElseGet(cluster::configHosts);
    }

    private Leader leading() throws IOException {
        return leader.orElseThrow(() ->
                new IOException(
                        "config server '%s' does not lead; %s"
                                .formatted(
                                        cluster.host(),
                                        log.leader()
                                                .map(peer ->
                                                        "'%s' does".formatted(ConfigLog.host(peer)))
                                                .orElse("no leader is known"))));
    }

    @Override
    public PeerHello.Answer hello(PeerHello other) {
        return new PeerHello.Answer(refusal(other).orElse(""), own(), leader.isPresent());
    }

    /** Only a server whose group works may refuse others, or the one that begins a group. */
    private Optional<String> refusal(PeerHello other) {
        boolean mayRefuse =
                log.founding().isPresent()
                        ? log.leader().isPresent()
                        : isFirst(cluster.host()) && other.founding().isEmpty();
        return mayRefuse
                ? PeerRules.refusal(own(), other, log.isSettled() ? voters() : List.of())
                : Optional.empty();
    }

    private boolean isFirst(String host) {
        return cluster.configServers().getFirst().name().equals(host);
    }

    private PeerHello own() {
        boolean isJoining = false;
        try {
            isJoining = log.isJoining();
        } catch (IOException e) {
            LOG.warn("the members of the config servers could not be recorded", e);
        }
        return new PeerHello(
                log.self(port.map(ConfigPort::peerPort).orElse(0)),
                cluster.configServers().stream().map(ClusterSettings.Named::name).toList(),
                log.founding().map(Founding::clusterId).orElse(parts.recordedCluster()),
                log.founding(),
                isJoining);
    }

    @Override
    public boolean keep(String sender, ArchivePart part) throws IOException {
        return archives.write(sender, part);
    }

    @Override
    public Path archive(String name) throws IOException {
        if (!archives.has(name)) {
            throw new NoSuchFileException(name);
        }
        return archives.path(name);
    }

    @Override
    public Optional<LogSnapshot> record() throws IOException {
        return log.forgotten();
    }

    // Who takes part.

    private void meet() {
        intervals++;
        if (intervals < QUIET_INTERVALS && isQuiet()) {
            return;
        }
        intervals = 0;
        try {
            PeerHello own = own();
            peers.hello(own);
            if (log.founding().isEmpty()) {
                form(own);
            }
            if (log.leader().isEmpty()) {
                PeerRules.stop(log.founding().isPresent(), peers.answers()).ifPresent(this::stop);
            }
            copyArchives();
            if (leader.isPresent()) {
                replace();
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("the other config servers could not be met", e);
        }
    }

    /** Returns whether all config servers take part, and one leads. */
    private boolean isQuiet() {
        return peers.isComplete()
                && log.leader().isPresent()
                && peers.answers().stream().noneMatch(answer -> answer.own().isJoining());
    }

    /** Takes part no more: the others refuse this server. */
    private void stop(String reason) {
        LOG.error("this server cannot be a config server: {}", reason);
        hellos.shutdown();
        parts.failed().accept(reason);
    }

    private void form(PeerHello own) throws IOException {
        switch (PeerRules.next(own, peers.answers(), peers.isComplete())) {
            case PeerRules.Step.Wait() -> {}
            case PeerRules.Step.Stop(var reason) -> stop(reason);
            case PeerRules.Step.Begin(var members) -> {
                LOG.info("these are the config servers of a new cluster: {}", members);
                log.createGroup(new Founding(UUID.randomUUID().toString(), members));
            }
            case PeerRules.Step.Follow(var founding) -> log.createGroup(founding);
            case PeerRules.Step.Join(var founding, var from) -> {
                if (peers.isConfirmed(from)) {
                    LOG.info("this config server replaces a former one of its host");
                    log.join(founding, peers.client(from).orElseThrow().record());
                }
            }
        }
    }

    /** Copies the archives that the record names and this server lacks, and deletes others. */
    private void copyArchives() throws IOException {
        Optional<SharedRecord> record = log.record();
        if (record.isPresent()) {
            Set<String> needed = record.get().record().packages().archives();
            for (String archive : needed) {
                if (!archives.has(archive)) {
                    boolean _ = peers.fetch(archive, archives);
                }
            }
            archives.deleteUnused(needed, Instant.now());
        }
    }

    /** Lets a new data directory take the place of the former one of its host. */
    private void replace() throws IOException {
        List<String> voters = voters();
        for (PeerHello.Answer answer : peers.answers()) {
            Member member = answer.own().member();
            if (answer.own().isJoining() && !voters.contains(member.peer())) {
                LOG.info("config server '{}' has a new data directory", member.host());
                log.replace(member);
            }
        }
    }

    /** Returns where requests are forwarded to; empty if no other server is known to lead. */
    Optional<URI> leaderUrl() {
        return log.leader()
                .filter(peer -> !log.isSelf(peer))
                .flatMap(peer -> peers.answer(ConfigLog.host(peer)))
                .map(answer ->
                        URI.create(
                                (cluster.tls().isPresent() ? "https://" : "http://")
                                        + answer.own().member().forwarded()));
    }

    /** Returns the other config servers, for reports. */
    List<ConfigClient> others() {
        return peers.clients();
    }

    private List<ClusterStatus.ConfigHost> servers() {
        Optional<String> leads = log.leader();
        // During a change, the former voters are needed too.
        List<String> voters = log.isSettled() ? voters() : List.of();
        List<ClusterStatus.ConfigHost> servers = new ArrayList<>();
        for (ClusterSettings.Named each : cluster.configServers()) {
            Optional<Member> member =
                    each.name().equals(cluster.host())
                            ? Optional.of(own().member())
                            : peers.answer(each.name()).map(answer -> answer.own().member());
            servers.add(
                    new ClusterStatus.ConfigHost(
                            each.name(),
                            member.isPresent(),
                            voters.stream().anyMatch(peer -> isOf(peer, each.name(), member)),
                            member.map(Member::peer).equals(leads)));
        }
        return servers;
    }

    /** Returns whether a peer is a host, or the data directory that it has as far as known. */
    private static boolean isOf(String peer, String host, Optional<Member> member) {
        return member.isPresent()
                ? member.get().peer().equals(peer)
                : ConfigLog.host(peer).equals(host);
    }

    private List<String> voters() {
        return log.voters().stream().map(ReplicaAddress::peer).toList();
    }

    @Override
    public void close() {
        hellos.shutdownNow();
        log.handOver();
        term = 0;
        work.execute(this::end);
        work.shutdown();
        try {
            if (!work.awaitTermination(STOP.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("a deployment did not end in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        log.close();
        peers.close();
    }
}
