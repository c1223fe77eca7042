package org.crabro.content.replication.raft;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.crabro.content.storage.commit.JournalSettings;
import org.crabro.content.storage.journal.MappedLogFiles;
import org.crabro.content.storage.replica.ReplicaInstallation;
import org.crabro.content.storage.replica.ReplicaSource;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.content.storage.store.Notes;
import org.crabro.content.storage.store.RecentSettings;
import org.crabro.content.storage.store.StoreOptions;
import org.jspecify.annotations.Nullable;

/** Nodes with replicas of each shard, in one process and on loopback sockets. */
final class RaftNodes implements AutoCloseable {
    static final String CLUSTER = "notes";
    static final RatisTimes TIMES =
            new RatisTimes(
                    Duration.ofMillis(400), Duration.ofMillis(800), RatisTimes.DEFAULT.removal());

    private final Path directory;
    private final int shards;
    private final RecentSettings settings;
    private final long retainedBytes;
    private final List<Node> nodes = new ArrayList<>();
    private List<ReplicaAddress> voters = List.of();

    private final AtomicInteger exports = new AtomicInteger();

    /** What went wrong, apart from what a test does. */
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();

    /** The shards that a node must be given copies of. */
    private final ConcurrentLinkedQueue<ShardGroup> behind = new ConcurrentLinkedQueue<>();

    RaftNodes(Path directory, int shards, RecentSettings settings, long retainedBytes) {
        this.directory = directory;
        this.shards = shards;
        this.settings = settings;
        this.retainedBytes = retainedBytes;
    }

    /** Starts the first nodes, which are the voters of each shard. */
    static RaftNodes start(Path directory, int count, int shards, RecentSettings settings)
            throws IOException {
        return start(directory, count, shards, settings, RatisSettings.RETAINED_BYTES);
    }

    static RaftNodes start(
            Path directory, int count, int shards, RecentSettings settings, long retainedBytes)
            throws IOException {
        var started = new RaftNodes(directory, shards, settings, retainedBytes);
        started.start(count, count);
        return started;
    }

    /** Starts voters and one listener of each shard. */
    static RaftNodes startWithListener(
            Path directory, int voters, int shards, RecentSettings settings) throws IOException {
        var started = new RaftNodes(directory, shards, settings, RatisSettings.RETAINED_BYTES);
        started.start(voters, voters + 1);
        return started;
    }

    private void start(int voting, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            nodes.add(new Node("n" + i));
        }
        for (Node each : nodes) {
            each.listen();
        }
        List<ReplicaAddress> addresses = nodes.stream().map(each -> each.address).toList();
        voters = addresses.subList(0, voting);
        for (Node each : nodes) {
            each.openStore(new GroupMembers(voters, addresses.subList(voting, count)));
        }
    }

    /** Starts another node without replicas. */
    Node join(String name) throws IOException {
        var joined = new Node(name);
        nodes.add(joined);
        joined.listen();
        joined.openStore(List.of());
        return joined;
    }

    Node get(int number) {
        return nodes.get(number);
    }

    List<Node> all() {
        return List.copyOf(nodes);
    }

    List<ReplicaAddress> voters() {
        return voters;
    }

    ConcurrentLinkedQueue<String> failures() {
        return failures;
    }

    ConcurrentLinkedQueue<ShardGroup> behind() {
        return behind;
    }

    private static void deleteAll(Path path) throws IOException {
        try (Stream<Path> all = Files.walk(path)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    static ShardGroup group(int shard) {
        return new ShardGroup(CLUSTER, shard);
    }

    /** Returns the node that leads a shard; empty if none does. */
    Optional<Node> leader(int shard) {
        return nodes.stream().filter(each -> each.leads(shard)).findFirst();
    }

    /** A node; restarts keep its directory. */
    final class Node implements ReplicaEvents {
        private final String name;
        private final Path home;
        private ReplicaAddress address = new ReplicaAddress("", "127.0.0.1", 0);
        private @Nullable MappedLogFiles files;
        private volatile @Nullable RatisGroups groups;
        private volatile @Nullable DocumentStore store;
        private final Object closing = new Object();

        /** The address before the directory was lost, until the node is replaced. */
        private Optional<ReplicaAddress> lost = Optional.empty();

        private final Set<Integer> installed = new HashSet<>();

        Node(String name) {
            this.name = name;
            this.home = directory.resolve(name);
        }

        ReplicaAddress address() {
            return address;
        }

        Path exports() {
            return home.resolve("exports");
        }

        Optional<DocumentStore> store() {
            return Optional.ofNullable(store);
        }

        Optional<RatisGroups> groups() {
            return Optional.ofNullable(groups);
        }

        boolean leads(int shard) {
            RatisGroups now = groups;
            return now != null
                    && now.status(group(shard)).map(ReplicaStatus::isLeader).orElse(false);
        }

        /** Opens the files and the server. */
        void listen() throws IOException {
            var opened = new MappedLogFiles(Files.createDirectories(home));
            files = opened;
            String peer = PeerName.of(opened, name, new Random());
            RatisGroups started =
                    RatisGroups.open(
                            new RatisSettings(
                                    new ReplicaAddress(peer, address.host(), address.port()),
                                    home.resolve("raft"),
                                    opened,
                                    RatisSettings.Peers.LOCAL,
                                    TIMES,
                                    retainedBytes),
                            this);
            groups = started;
            address = started.self();
        }

        /** Opens the store. A node that is to be voted in starts without voters. */
        void openStore(List<ReplicaAddress> voters) throws IOException {
            openStore(GroupMembers.of(voters));
        }

        /** Opens the store with the members of a new group. */
        void openStore(GroupMembers first) throws IOException {
            RatisGroups started = groups;
            MappedLogFiles opened = files;
            if (started == null || opened == null) {
                throw new IllegalStateException(name + " does not listen");
            }
            var journals =
                    new RatisJournals(
                            started,
                            CLUSTER,
                            shards,
                            _ -> first,
                            JournalSettings.DEFAULT,
                            new Random());
            store =
                    DocumentStore.open(
                            opened,
                            StoreOptions.of(
                                            Notes.PARTITIONS.count(),
                                            settings,
                                            InstantSource.system())
                                    .with(journals));
        }

        /** Returns the directory of its data. */
        Path home() {
            return home;
        }

        void start() throws IOException {
            listen();
            openStore(voters);
        }

        /** Copies the files of a shard from another node, which are used from the next open on. */
        void install(int shard, Node from) throws IOException {
            RatisGroups own = groups().orElseThrow();
            Path to = directory.resolve("export-" + exports.incrementAndGet());
            try (var links = new MappedLogFiles(Files.createDirectories(to));
                    ReplicaSource source =
                            from.groups()
                                    .orElseThrow()
                                    .export(group(shard), from.store().orElseThrow(), links)) {
                ReplicaInstallation installation = own.installation(group(shard));
                installation.stage(source);
                installation.commit(source.list());
            }
        }

        /**
         * Replaces the node by an empty one at the same address, which gets copies of all shards
         * and is voted in. Does as much as is possible now; to be repeated until it returns true.
         */
        boolean replace() throws IOException {
            if (lost.isEmpty()) {
                lost = Optional.of(address);
                stop();
                deleteAll(home);
                listen();
            }
            String before = lost.get().peer();
            if (store == null) {
                for (int shard = 0; shard < shards; shard++) {
                    Optional<Node> leader = leader(shard);
                    if (leader.isEmpty()) {
                        return false;
                    }
                    if (!installed.contains(shard)) {
                        install(shard, leader.get());
                        installed.add(shard);
                    }
                }
                openStore(List.of());
            }
            for (int shard = 0; shard < shards; shard++) {
                Optional<Node> leader = leader(shard);
                if (leader.isEmpty()) {
                    return false;
                }
                RatisGroups led = leader.get().groups().orElseThrow();
                List<ReplicaAddress> now = led.status(group(shard)).orElseThrow().voters();
                if (now.stream().anyMatch(each -> each.peer().equals(before))) {
                    List<ReplicaAddress> next = new ArrayList<>(now);
                    next.removeIf(each -> each.peer().equals(before));
                    next.add(address);
                    led.change(group(shard), next, Duration.ofSeconds(20));
                }
            }
            lost = Optional.empty();
            installed.clear();
            voters = nodes.stream().map(each -> each.address).toList();
            return true;
        }

        /** Flushes, if it is up. A store is not closed meanwhile. */
        void flush() throws IOException {
            synchronized (closing) {
                DocumentStore open = store;
                if (open != null) {
                    open.flush();
                }
            }
        }

        void closeStore() {
            DocumentStore open = store;
            synchronized (closing) {
                store = null;
                if (open != null) {
                    open.close();
                }
            }
        }

        void stop() throws IOException {
            closeStore();
            RatisGroups started = groups;
            groups = null;
            if (started != null) {
                started.close();
            }
            MappedLogFiles opened = files;
            files = null;
            if (opened != null) {
                opened.close();
            }
        }

        @Override
        public String toString() {
            return name
                    + IntStream.range(0, shards)
                            .mapToObj(shard -> groups().flatMap(of -> of.status(group(shard))))
                            .toList();
        }

        @Override
        public void failed(ShardGroup group, String reason) {
            failures.add("%s: %s: %s".formatted(name, group, reason));
        }

        @Override
        public void behind(ShardGroup group) {
            behind.add(group);
        }

        @Override
        public void removed(ShardGroup group) {
            failures.add("%s: %s: removed".formatted(name, group));
        }
    }

    @Override
    public void close() throws IOException {
        // Ratis waits for the connections of each.
        List<Thread> stopping =
                nodes.stream()
                        .map(each -> Thread.ofPlatform().start(() -> tryToStop(each)))
                        .toList();
        try {
            for (Thread each : stopping) {
                each.join();
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private void tryToStop(Node node) {
        try {
            node.stop();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
