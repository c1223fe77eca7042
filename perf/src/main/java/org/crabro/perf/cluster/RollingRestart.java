package org.crabro.perf.cluster;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Restarts the servers of a cluster one by one under load, with the same release or another. */
final class RollingRestart {
    private RollingRestart() {}

    /** Restarts each server; returns whether no request noticed. */
    static boolean of(ProcessCluster cluster, PrintStream out) throws Exception {
        return restart(cluster, "rolling restart", Optional.empty(), out);
    }

    /**
     * Starts a cluster of an older release, and restarts each server with this one.
     *
     * @param older the root of the older release's sources
     * @param folder of the cluster's data
     * @return whether no request noticed, and the newest formats are in use at the end
     */
    static boolean fromOlder(Path older, Path folder, List<String> java, PrintStream out)
            throws Exception {
        String olderClasses = classPath(older);
        try (var cluster =
                new ProcessCluster(folder, new ClusterNetwork.Loopback(), java, List.of())) {
            ProcessCluster.servers().forEach(server -> cluster.use(server, olderClasses));
            cluster.startAll();
            int before = cluster.format();
            boolean isRight =
                    restart(
                            cluster,
                            "upgrade",
                            Optional.of(System.getProperty("java.class.path")),
                            out);
            out.printf("version of formats: %d before, %d after%n", before, cluster.format());
            return isRight && cluster.format() >= before;
        }
    }

    /** Builds a release, and returns its class path. */
    private static String classPath(Path root) throws IOException, InterruptedException {
        Path perf = root.resolve("bin/perf");
        // Without a name, releases before the scoreboard listed the benchmarks.
        boolean hasList = Files.readString(perf).contains("--list");
        SystemPrograms.run(hasList ? List.of(perf.toString(), "--list") : List.of(perf.toString()));
        String libraries = Files.readString(root.resolve("perf/target/classpath")).strip();
        return Arrays.stream(("perf/target/classes:" + libraries).split(File.pathSeparator))
                .map(each -> root.resolve(each).toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean restart(
            ProcessCluster cluster, String name, Optional<String> classPath, PrintStream out)
            throws Exception {
        var ledger = new Ledger(cluster, "restarted");
        List<Thread> load = FailoverCommand.load(ledger);
        try {
            for (int server = 1; server <= ProcessCluster.SERVERS; server++) {
                long begin = System.nanoTime();
                if (!cluster.stop(server)) {
                    out.printf("n%d did not end by itself%n", server);
                }
                double stopped = (System.nanoTime() - begin) / 1e9;
                if (classPath.isPresent()) {
                    cluster.use(server, classPath.get());
                }
                cluster.start(server);
                double started = (System.nanoTime() - begin) / 1e9;
                cluster.awaitServing(FailoverCommand.PATIENCE);
                FailoverCommand.awaitLeaders(cluster);
                out.printf(
                        "n%d restarts: stopped after %.1f s, up %.1f s, serving %.1f s%n",
                        server, stopped, started, (System.nanoTime() - begin) / 1e9);
            }
        } finally {
            ledger.end();
        }
        for (Thread each : load) {
            each.join();
        }
        List<String> lost = ledger.check();
        out.printf("%s: %s, %d lost%n", name, ledger.counts(), lost.size());
        ledger.reasons().forEach(out::println);
        lost.forEach(out::println);
        return lost.isEmpty() && ledger.incompleteQueries() == 0 && ledger.failedWrites() == 0;
    }
}
