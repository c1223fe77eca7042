package org.crabro.perf.cluster;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.crabro.document.DocumentId;
import org.crabro.perf.cluster.NoteClient.Answer;
import org.crabro.perf.cluster.NoteClient.NoteOperation;
import org.crabro.perf.harness.Command;
import org.crabro.perf.harness.Machine;
import org.crabro.perf.harness.ProcessorTime;
import org.crabro.protocol.cluster.Partitions;

/**
 * Three servers on this machine under load: how long writes, reads and queries wait after the
 * process with leaders is killed, whether a rolling restart is noticed, how fast three replicas are
 * fed against one server, and what an idle server takes.
 */
public final class FailoverCommand implements Command {
    private static final int WRITERS = 4;
    private static final int WRITER_PAUSE_MILLIS = 20;
    private static final int QUERY_PAUSE_MILLIS = 100;
    static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(10);
    private static final Duration LEADERS_WAIT = Duration.ofSeconds(20);
    private static final Duration IDLE = Duration.ofSeconds(10);

    /** A server gives memory back one or two minutes after its last collection of garbage. */
    private static final Duration SETTLING = Duration.ofMinutes(4);

    private static final int ROUNDS = 5;

    /** Of a slower failover, the reason is printed. */
    private static final double SLOW_SECONDS = 10;

    /** As {@code crabro cluster up} starts servers. */
    private static final String SMALL_HEAP = "512m";

    /** The options of {@code bin/crabro} for a server. */
    static final List<String> LAUNCHER =
            List.of(
                    "--add-modules=jdk.incubator.vector",
                    "-XX:+UseG1GC",
                    "-XX:G1PeriodicGCInterval=60000",
                    "-XX:MaxHeapFreeRatio=45",
                    "-XX:TrimNativeHeapInterval=60000",
                    "-XX:Tier3InvocationThreshold=60",
                    "-XX:Tier3MinInvocationThreshold=30",
                    "-XX:Tier3CompileThreshold=500",
                    "-XX:Tier0InvokeNotifyFreqLog=4",
                    "-XX:Tier4InvocationThreshold=400",
                    "-XX:Tier4MinInvocationThreshold=100",
                    "-XX:Tier4CompileThreshold=1200",
                    "-XX:Tier4LoadFeedback=100",
                    "-XX:InlineSmallCode=1000");

    /** The parts of the measurement, in their order: queries find few notes before the feed. */
    private enum Part {
        KILL,
        RESTART,
        FEED,
        IDLE;

        static Optional<Part> named(String word) {
            return Stream.of(values())
                    .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(word))
                    .findFirst();
        }
    }

    @Override
    public String name() {
        return "failover";
    }

    @Override
    public String summary() {
        return "[kill] [restart] [feed] [idle] [--rounds N] [--heap SIZE]: waits after kills, 5 rounds, a rolling"
                + " restart, three replicas fed against one server, and idle servers;"
                + " --against COMMIT: an upgrade from another commit instead";
    }

    @Override
    public int run(List<String> options, PrintStream out) throws Exception {
        int rounds = ROUNDS;
        String heap = SMALL_HEAP;
        Optional<Path> older = Optional.empty();
        Set<Part> parts = EnumSet.noneOf(Part.class);
        for (Iterator<String> each = options.iterator(); each.hasNext(); ) {
            String option = each.next();
            Optional<Part> part = Part.named(option);
            if (option.equals("--rounds") && each.hasNext()) {
                rounds = Integer.parseInt(each.next());
            } else if (option.equals("--heap") && each.hasNext()) {
                heap = each.next();
            } else if (option.equals("--against") && each.hasNext()) {
                older = Optional.of(Path.of(each.next()));
            } else if (part.isPresent()) {
                parts.add(part.get());
            } else {
                out.printf("'failover' does not take '%s'; it is %s%n", option, summary());
                return 2;
            }
        }
        if (parts.isEmpty()) {
            parts = EnumSet.allOf(Part.class);
        }
        Path folder = Files.createTempDirectory("crabro-failover");
        Machine.describe(folder).forEach(out::println);
        List<String> java = new ArrayList<>(LAUNCHER);
        java.add("-Xmx" + heap);
        try {
            boolean isRight =
                    older.isPresent()
                            ? RollingRestart.fromOlder(older.get(), folder, java, out)
                            : run(parts, folder, java, rounds, out);
            return isRight ? 0 : 1;
        } finally {
            delete(folder);
        }
    }

    private static boolean run(
            Set<Part> parts, Path folder, List<String> java, int rounds, PrintStream out)
            throws Exception {
        try (var cluster =
                new ProcessCluster(folder, new ClusterNetwork.Loopback(), java, List.of())) {
            cluster.startAll();
            printMemory("after its start", cluster, out);
            boolean isRight = true;
            for (Part part : parts) {
                isRight &=
                        switch (part) {
                            case FEED -> ReplicaFeeds.measure(cluster, folder, java, out);
                            case IDLE -> idle(cluster, out);
                            case KILL -> kill(cluster, rounds, out);
                            case RESTART -> RollingRestart.of(cluster, out);
                        };
            }
            return isRight;
        }
    }

    /** Kills one server after the other under load, and measures until all partitions answer. */
    private static boolean kill(ProcessCluster cluster, int rounds, PrintStream out)
            throws Exception {
        List<Double> writes = new ArrayList<>();
        List<Double> reads = new ArrayList<>();
        List<Double> queries = new ArrayList<>();
        var ledger = new Ledger(cluster, "failover");
        List<Thread> load = load(ledger);
        try {
            for (int round = 0; round < rounds; round++) {
                int victim = 1 + round % ProcessCluster.SERVERS;
                int[] led = cluster.led();
                long begin = System.nanoTime();
                cluster.kill(victim);
                var probes = new Probes(cluster, victim, begin);
                probes.join();
                writes.add(probes.seconds("write"));
                reads.add(probes.seconds("read"));
                queries.add(probes.seconds("query"));
                out.printf(
                        "n%d, leader of %d shards, is killed: writes after %.1f s, reads %.1f s,"
                                + " queries with full coverage %.1f s%n",
                        victim, led[victim], writes.getLast(), reads.getLast(), queries.getLast());
                if (queries.getLast() > SLOW_SECONDS) {
                    out.printf("the last query before that: %s%n", probes.incomplete);
                }
                cluster.start(victim);
                cluster.awaitServing(PATIENCE);
                awaitLeaders(cluster);
            }
        } finally {
            ledger.end();
        }
        for (Thread each : load) {
            each.join();
        }
        out.printf(
                "median of %d kills: writes %.1f s, reads %.1f s, queries %.1f s; slowest %.1f s%n",
                rounds,
                median(writes),
                median(reads),
                median(queries),
                Stream.of(writes, reads, queries)
                        .flatMap(List::stream)
                        .mapToDouble(each -> each)
                        .max()
                        .orElse(0));
        out.println(ledger.counts());
        List<String> lost = ledger.check();
        lost.forEach(out::println);
        boolean isAnswered =
                Stream.of(writes, reads, queries).flatMap(List::stream).allMatch(Double::isFinite);
        return lost.isEmpty() && isAnswered;
    }

    /** Waits until each server leads shards again, for a while. */
    static void awaitLeaders(ProcessCluster cluster) throws IOException, InterruptedException {
        long end = System.nanoTime() + LEADERS_WAIT.toNanos();
        int[] led = cluster.led();
        while ((led[1] == 0 || led[2] == 0 || led[3] == 0) && System.nanoTime() < end) {
            Thread.sleep(100);
            led = cluster.led();
        }
    }

    /** Starts clients that write, read and query until the ledger ends. */
    static List<Thread> load(Ledger ledger) {
        List<Thread> load = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            load.add(ledger.writer(i, new Random(i), WRITER_PAUSE_MILLIS));
        }
        load.add(ledger.reader(new Random(-1), QUERY_PAUSE_MILLIS));
        return load;
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    /**
     * Requests that are sent again until they succeed, or {@link #PATIENCE} is over: a write and a
     * read for each partition, and a query.
     */
    private static final class Probes {
        private static final Duration ATTEMPT = Duration.ofSeconds(30);

        private final ProcessCluster cluster;
        private final int dead;
        private final long begin;
        private final List<Thread> threads = new ArrayList<>();
        private final Map<String, Double> seconds = new ConcurrentHashMap<>();

        /** The last answer to a query that was not complete. */
        private volatile String incomplete = "";

        Probes(ProcessCluster cluster, int dead, long begin) {
            this.cluster = cluster;
            this.dead = dead;
            this.begin = begin;
            for (String id : idsOfPartitions()) {
                probe("write", id);
                probe("read", id);
            }
            threads.add(Thread.ofVirtual().start(this::query));
        }

        /** Returns an id for each partition. */
        private static List<String> idsOfPartitions() {
            List<String> ids = new ArrayList<>();
            Set<Integer> partitions = new HashSet<>();
            for (int i = 0; ids.size() < Partitions.DEFAULT.count(); i++) {
                String id = "probe" + i;
                long location = DocumentId.parse("id:faults:note::" + id).location();
                if (partitions.add(Partitions.DEFAULT.of(location))) {
                    ids.add(id);
                }
            }
            return ids;
        }

        private int server(int number) {
            return 1 + (dead + number % 2) % ProcessCluster.SERVERS;
        }

        private void probe(String kind, String id) {
            threads.add(
                    Thread.ofVirtual()
                            .start(() -> {
                                try (var client = new NoteClient()) {
                                    for (int i = 0; !isAnswered(client, kind, id, i); i++) {
                                        if (isOver()) {
                                            missed(kind);
                                            return;
                                        }
                                        Thread.sleep(PAUSE);
                                    }
                                    done(kind);
                                } catch (InterruptedException _) {
                                    Thread.currentThread().interrupt();
                                }
                            }));
        }

        private boolean isAnswered(NoteClient client, String kind, String id, int attempt)
                throws InterruptedException {
            Answer answer =
                    client.send(
                            cluster.container(server(attempt)),
                            kind.equals("write")
                                    ? NoteOperation.put(id, "probe")
                                    : NoteOperation.get(id));
            return answer.status() == 200 || (answer.status() == 404 && kind.equals("read"));
        }

        private void query() {
            try {
                for (int i = 0; !isOver(); i++) {
                    try {
                        URI server = cluster.container(server(i));
                        String state =
                                cluster.get(server.resolve(NoteQuery.ALL.path(2_000)), ATTEMPT);
                        if (NoteQuery.isComplete(state)) {
                            done("query");
                            return;
                        }
                        incomplete = state;
                    } catch (IOException e) {
                        // The query is sent again: it is what is measured.
                        incomplete = e.toString();
                    }
                    Thread.sleep(PAUSE);
                }
                missed("query");
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }

        private boolean isOver() {
            return System.nanoTime() - begin > PATIENCE.toNanos();
        }

        private void missed(String kind) {
            seconds.put(kind, Double.POSITIVE_INFINITY);
        }

        private void done(String kind) {
            seconds.merge(kind, (System.nanoTime() - begin) / 1e9, Math::max);
        }

        void join() throws InterruptedException {
            for (Thread each : threads) {
                each.join();
            }
        }

        double seconds(String kind) {
            return seconds.getOrDefault(kind, Double.NaN);
        }
    }

    private static void printMemory(String when, ProcessCluster cluster, PrintStream out)
            throws IOException {
        for (int server = 1; server <= ProcessCluster.SERVERS; server++) {
            out.printf("n%d %s: %s%n", server, when, memory(cluster.pid(server)));
        }
    }

    /** Prints the memory and the processor time of each server while nothing happens. */
    private static boolean idle(ProcessCluster cluster, PrintStream out) throws Exception {
        Thread.sleep(SETTLING);
        printMemory("idle", cluster, out);
        List<List<Double>> shares = new ArrayList<>();
        for (int server = 1; server <= ProcessCluster.SERVERS; server++) {
            shares.add(new ArrayList<>());
        }
        for (int round = 0; round < ROUNDS; round++) {
            List<Long> before = processorNanos(cluster);
            Thread.sleep(IDLE);
            List<Long> after = processorNanos(cluster);
            for (int i = 0; i < shares.size(); i++) {
                shares.get(i).add((double) (after.get(i) - before.get(i)) / IDLE.toNanos());
            }
        }
        for (int i = 0; i < shares.size(); i++) {
            out.printf("n%d idle: %.1f %% of a core%n", i + 1, 100 * median(shares.get(i)));
        }
        return true;
    }

    private static List<Long> processorNanos(ProcessCluster cluster) {
        return IntStream.rangeClosed(1, ProcessCluster.SERVERS)
                .mapToObj(server -> ProcessorTime.nanos(cluster.pid(server)))
                .toList();
    }

    private static String memory(long pid) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
            return lines.filter(line -> line.matches("(VmRSS|RssAnon|Threads):.*"))
                    .map(line -> line.replaceAll("\\s+", " "))
                    .reduce((a, b) -> a + ", " + b)
                    .orElse("");
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.toList().reversed()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
