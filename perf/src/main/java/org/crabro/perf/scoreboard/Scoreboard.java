package org.crabro.perf.scoreboard;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.crabro.perf.cluster.ClusterWorkload;
import org.crabro.perf.compare.MailsWorkload;
import org.crabro.perf.feed.FeedWorkload;
import org.crabro.perf.harness.Machine;
import org.crabro.perf.harness.Measured;
import org.crabro.perf.harness.MemoryLimit;
import org.crabro.perf.harness.PeerPrograms;
import org.crabro.perf.harness.RunSize;
import org.crabro.perf.harness.ScoreSheet;
import org.crabro.perf.harness.Workload;
import org.crabro.perf.search.EventsWorkload;
import org.crabro.perf.search.VectorsWorkload;
import org.crabro.perf.serving.ModelWorkload;

/** Runs workloads one after another, and writes the page of this machine. */
public final class Scoreboard {
    /** The options that start a scoreboard. */
    public static final String QUICK = "--quick";

    /** Leaves other programs out. */
    public static final String NO_PEERS = "--no-peers";

    private static final String ONLY = "--only";
    private static final String OUTPUT = "--output";
    private static final long MEMORY_BYTES = 8L << 30;

    private static final List<Workload> WORKLOADS =
            List.of(
                    new VectorsWorkload(),
                    new MailsWorkload(),
                    new EventsWorkload(),
                    new FeedWorkload(),
                    new ModelWorkload(),
                    new ClusterWorkload());

    private Scoreboard() {}

    /** The options of the command line. */
    private record Options(boolean isQuick, boolean hasPeers, List<String> only, Path output) {
        static Options of(List<String> words) {
            boolean isQuick = false;
            boolean hasPeers = true;
            List<String> only = new ArrayList<>();
            Path output = Path.of("docs/performance");
            for (int i = 0; i < words.size(); i++) {
                String word = words.get(i);
                if (word.equals(QUICK)) {
                    isQuick = true;
                } else if (word.equals(NO_PEERS)) {
                    hasPeers = false;
                } else if (word.equals(ONLY) && i + 1 < words.size()) {
                    only.add(words.get(++i));
                } else if (word.equals(OUTPUT) && i + 1 < words.size()) {
                    output = Path.of(words.get(++i));
                } else {
                    throw new IllegalArgumentException("the scoreboard does not take " + word);
                }
            }
            for (String name : only) {
                if (WORKLOADS.stream().noneMatch(each -> each.name().equals(name))) {
                    throw new IllegalArgumentException("there is no workload " + name);
                }
            }
            return new Options(isQuick, hasPeers, List.copyOf(only), output);
        }
    }

    /** Returns whether words of the command line are options of the scoreboard. */
    public static boolean isAsked(List<String> words) {
        return words.isEmpty() || List.of(QUICK, NO_PEERS, ONLY, OUTPUT).contains(words.getFirst());
    }

    /**
     * Measures, and writes the page.
     *
     * @return 0, or 1 if a workload failed, or 2 if an option is wrong
     */
    public static int run(List<String> words, PrintStream out) throws Exception {
        Options options;
        try {
            options = Options.of(words);
        } catch (IllegalArgumentException e) {
            out.println(e.getMessage());
            return 2;
        }
        PeerPrograms peers =
                options.hasPeers
                        ? PeerPrograms.install(
                                Path.of("perf/peers").toAbsolutePath(),
                                Path.of("perf/target/peers").toAbsolutePath())
                        : PeerPrograms.none("left out by " + NO_PEERS);
        long begin = System.nanoTime();
        var scores = new ScoreSheet(out, peers);
        var size = new RunSize(options.isQuick);
        Path folder = Files.createTempDirectory("crabro-scoreboard");
        try {
            List<String> machine = new ArrayList<>(Machine.describe(folder));
            Optional<MemoryLimit> limit = limitMemory(machine);
            try {
                machine.forEach(out::println);
                for (Workload workload : WORKLOADS) {
                    if (options.only.isEmpty() || options.only.contains(workload.name())) {
                        measure(workload, folder, size, scores);
                    }
                }
            } finally {
                release(limit, out);
            }
            double minutes = (System.nanoTime() - begin) / 6e10;
            var page = new ResultsPage(ResultsName.of(Machine.processor()), size, machine, minutes);
            page.write(options.output, scores);
            out.printf("%.1f minutes, written to %s%n", minutes, options.output);
            return scores.missing().stream()
                            .anyMatch(each -> each.program().equals(Measured.CRABRO))
                    ? 1
                    : 0;
        } finally {
            delete(folder);
        }
    }

    /** Limits the memory of this process, of all servers and of all other programs. */
    private static Optional<MemoryLimit> limitMemory(List<String> machine) {
        try {
            MemoryLimit limit = MemoryLimit.of(MEMORY_BYTES);
            machine.add("limit         8 GiB of memory for each program with its client");
            return Optional.of(limit);
        } catch (IOException e) {
            machine.add("limit         none: " + e.getMessage());
            return Optional.empty();
        }
    }

    private static void release(Optional<MemoryLimit> limit, PrintStream out) {
        try {
            if (limit.isPresent()) {
                limit.get().close();
            }
        } catch (IOException e) {
            // A process that a failed workload left is still in the control group.
            out.println("the limit of memory is not removed: " + e.getMessage());
        }
    }

    private static void measure(Workload workload, Path folder, RunSize size, ScoreSheet scores)
            throws IOException, InterruptedException {
        Path own = Files.createDirectory(folder.resolve(workload.name()));
        try {
            workload.measure(own, size, scores);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            // The other workloads are measured, and the page names the failed one.
            scores.miss(Measured.CRABRO, workload.name(), String.valueOf(e));
        } finally {
            delete(own);
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
