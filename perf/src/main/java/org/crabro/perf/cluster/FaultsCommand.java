package org.crabro.perf.cluster;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.crabro.perf.cluster.FaultInjector.Fault;
import org.crabro.perf.harness.Command;
import org.crabro.perf.harness.Machine;

/**
 * Clients read and write a few notes over three servers, which are processes, while processes are
 * killed and stopped, links are cut, disks are full, slow or lost, servers are retired, and
 * packages are deployed. After each round, the history of each note must be linearizable, and every
 * acknowledged note must be found.
 *
 * <p>The seed determines faults and operations; when they happen differs from run to run.
 */
public final class FaultsCommand implements Command {
    private static final Duration ROUND = Duration.ofSeconds(30);

    /** Servers that start fast, and that leave the processors to each other. */
    static final List<String> JAVA =
            List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    static final List<String> SETTINGS = List.of("warmUp=0s");

    @Override
    public String name() {
        return "faults";
    }

    @Override
    public String summary() {
        return "[--minutes N] [--seed N]: whether histories are linearizable while processes and"
                + " links of a cluster fail, 10 minutes";
    }

    /** The options of the command. */
    private record Options(double minutes, long seed) {
        static Options parse(List<String> words) {
            var options = new Options(10, new SplittableRandom().nextLong(1_000_000));
            for (int i = 0; i + 1 < words.size(); i += 2) {
                String value = words.get(i + 1);
                options =
                        switch (words.get(i)) {
                            case "--minutes" ->
                                    new Options(Double.parseDouble(value), options.seed);
                            case "--seed" -> new Options(options.minutes, Long.parseLong(value));
                            default -> throw new IllegalArgumentException(words.get(i));
                        };
            }
            if (words.size() % 2 != 0) {
                throw new IllegalArgumentException(words.getLast());
            }
            return options;
        }
    }

    @Override
    public int run(List<String> words, PrintStream out) throws Exception {
        Options options;
        try {
            options = Options.parse(words);
        } catch (IllegalArgumentException e) {
            out.println("'faults' takes '--minutes N' and '--seed N': " + e.getMessage());
            return 2;
        }
        Path folder = Files.createTempDirectory("crabro-faults");
        Machine.describe(folder).forEach(out::println);
        boolean isRight;
        try (ClusterNetwork network = network(out);
                var disks = SmallDisks.make(folder, out)) {
            isRight = run(options, network, disks, folder, out);
        }
        if (isRight) {
            delete(folder);
        } else {
            out.println("logs are in " + folder);
        }
        return isRight ? 0 : 1;
    }

    private static ClusterNetwork network(PrintStream out) throws InterruptedException {
        try {
            return Namespaces.make(ProcessCluster.SERVERS);
        } catch (IOException e) {
            out.println("No links are cut, because there are no network namespaces: " + e);
            return new ClusterNetwork.Loopback();
        }
    }

    /**
     * Runs histories until the time is up, or one is wrong.
     *
     * @return whether all were right
     */
    private static boolean run(
            Options options, ClusterNetwork network, SmallDisks disks, Path folder, PrintStream out)
            throws Exception {
        try (var cluster = new ProcessCluster(folder, network, JAVA, SETTINGS)) {
            cluster.startAll();
            long end = System.nanoTime() + (long) (options.minutes * 60e9);
            boolean isRight = true;
            Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
            for (long seed = options.seed; isRight && System.nanoTime() < end; seed++) {
                var round = new FaultRound(cluster, network, disks, seed, counts, out);
                List<String> problems = round.run(ROUND);
                problems.forEach(out::println);
                isRight = problems.isEmpty();
                out.printf("faults so far: %s%n", counts);
            }
            return isRight;
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
