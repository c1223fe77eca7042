package org.crabro.perf.cluster;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.crabro.perf.cluster.FaultInjector.Fault;

/**
 * A history of clients of a cluster while faults happen.
 *
 * @param disks the file systems of the servers
 * @param seed determines the faults and the operations
 * @param faultCounts receives how often each fault happened
 */
record FaultRound(
        ProcessCluster cluster,
        ClusterNetwork network,
        SmallDisks disks,
        long seed,
        Map<Fault, Integer> faultCounts,
        PrintStream out) {
    private static final int CLIENTS = 8;
    private static final Duration HEALING = Duration.ofSeconds(90);
    private static final int PAUSE_MILLIS = 1_500;
    private static final int LEDGER_PAUSE_MILLIS = 40;

    /**
     * Runs the history.
     *
     * @param time for which faults happen; the last one may take longer
     * @return what is wrong; empty if the history of each note is linearizable, and every
     *     acknowledged note is found
     */
    List<String> run(Duration time) throws IOException, InterruptedException {
        out.printf("seed %d%n", seed);
        var random = new Random(seed);
        var history = new NoteHistory(cluster, "note" + seed);
        var ledger = new Ledger(cluster, "ledger" + seed);
        var faults =
                new FaultInjector(
                        cluster, network, disks, new Random(random.nextLong()), faultCounts, out);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            threads.add(history.client(1 + i, new Random(random.nextLong())));
        }
        threads.add(ledger.writer(1, new Random(random.nextLong()), LEDGER_PAUSE_MILLIS));
        var visits = new LedgerVisits(cluster, ledger);
        threads.add(visits.start());
        threads.add(ledger.reader(new Random(random.nextLong()), 10 * LEDGER_PAUSE_MILLIS));
        long end = System.nanoTime() + time.toNanos();
        try {
            while (System.nanoTime() < end) {
                Thread.sleep(random.nextInt(PAUSE_MILLIS));
                faults.step();
            }
        } finally {
            history.end();
            ledger.end();
            visits.end();
        }
        for (Thread each : threads) {
            each.join();
        }
        faults.restartDead();
        long healing = System.nanoTime();
        cluster.awaitServing(HEALING);
        out.printf("  serving after %d ms%n", (System.nanoTime() - healing) / 1_000_000);
        List<String> problems = new ArrayList<>(history.readAll());
        problems.addAll(history.check());
        problems.addAll(ledger.check());
        problems.addAll(visits.check());
        out.printf("  %s; %s; %s%n", history.counts(), ledger.counts(), visits.counts());
        return problems;
    }
}
