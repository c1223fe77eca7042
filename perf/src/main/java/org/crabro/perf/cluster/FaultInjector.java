package org.crabro.perf.cluster;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.Stream;

/** Lets random things happen to the servers of a cluster. */
final class FaultInjector {
    /** What happens. */
    enum Fault {
        /** A process is killed, and started again. */
        KILL,
        /** A process is stopped by a signal for some seconds. */
        PAUSE,
        /** A process is stopped and continued many times, so that it is slow. */
        SLOW,
        /** A server ends as it should, and is started again. */
        RESTART,
        /** A package is deployed. */
        DEPLOY,
        /** Two servers do not reach each other. */
        CUT,
        /** One server does not reach another, which reaches it. */
        ONE_WAY,
        /** A server reaches no other, and no other reaches it. */
        ISOLATE,
        /** The disk of a server is full. */
        FULL_DISK,
        /** The disk of a server takes no writes for a moment, many times. */
        SLOW_DISK,
        /** A server is killed and loses its data. It gets copies from the others. */
        LOST_DISK,
        /** The replicas of a server move to others, and come back. */
        RETIRE
    }

    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int SLOW_MILLIS = 40;
    private static final int FROZEN_MILLIS = 400;

    private final ProcessCluster cluster;
    private final ClusterNetwork network;
    private final Random random;
    private final PrintStream out;
    private final List<Fault> faults;
    private final Map<Fault, Integer> counts;

    /**
     * @param disks the file systems of the servers
     * @param counts receives how often each fault happened
     */
    FaultInjector(
            ProcessCluster cluster,
            ClusterNetwork network,
            SmallDisks disks,
            Random random,
            Map<Fault, Integer> counts,
            PrintStream out) {
        this.cluster = cluster;
        this.network = network;
        this.random = random;
        this.counts = counts;
        this.out = out;
        this.faults = new ArrayList<>(Arrays.asList(Fault.values()));
        if (!network.hasLinks()) {
            faults.removeAll(List.of(Fault.CUT, Fault.ONE_WAY, Fault.ISOLATE));
        }
        if (!disks.areMade()) {
            faults.remove(Fault.FULL_DISK);
        }
        if (!disks.canBeFrozen()) {
            faults.remove(Fault.SLOW_DISK);
        }
    }

    /** Lets one thing happen, and repairs it after a while. */
    void step() throws IOException, InterruptedException {
        Fault fault = faults.get(random.nextInt(faults.size()));
        counts.merge(fault, 1, Integer::sum);
        int server = 1 + random.nextInt(ProcessCluster.SERVERS);
        int other = 1 + (server + random.nextInt(ProcessCluster.SERVERS - 1)) % 3;
        Duration time = Duration.ofMillis(500 + random.nextLong(LONGEST.toMillis() - 500));
        out.printf("  %s n%d, n%d, %d ms%n", fault, server, other, time.toMillis());
        switch (fault) {
            case KILL -> {
                cluster.kill(server);
                Thread.sleep(time.dividedBy(4));
                cluster.start(server);
            }
            case PAUSE -> {
                cluster.signal(server, "STOP");
                Thread.sleep(time);
                cluster.signal(server, "CONT");
            }
            case SLOW -> slow(server, time);
            case RESTART -> {
                if (!cluster.stop(server)) {
                    throw new IOException("n%d did not end by itself".formatted(server));
                }
                cluster.start(server);
            }
            case DEPLOY -> deploy();
            case CUT -> {
                network.cut(server, other);
                network.cut(other, server);
                Thread.sleep(time);
                network.heal();
            }
            case ONE_WAY -> {
                network.cut(server, other);
                Thread.sleep(time);
                network.heal();
            }
            case ISOLATE -> {
                for (int each = 1; each <= ProcessCluster.SERVERS; each++) {
                    if (each != server) {
                        network.cut(server, each);
                        network.cut(each, server);
                    }
                }
                Thread.sleep(time);
                network.heal();
            }
            case FULL_DISK -> fill(server, time);
            case SLOW_DISK -> freeze(server, time);
            case LOST_DISK -> lose(Math.max(server, 2));
            case RETIRE -> retire(server);
        }
        restartDead();
    }

    /** Starts the servers that ended because of a fault. */
    void restartDead() throws IOException, InterruptedException {
        for (int each = 1; each <= ProcessCluster.SERVERS; each++) {
            if (!cluster.isRunning(each)) {
                out.printf("  n%d had ended%n", each);
                cluster.start(each);
            }
        }
    }

    private void slow(int server, Duration time) throws IOException, InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            cluster.signal(server, "STOP");
            Thread.sleep(random.nextInt(SLOW_MILLIS));
            cluster.signal(server, "CONT");
            Thread.sleep(random.nextInt(SLOW_MILLIS));
        }
    }

    private void freeze(int server, Duration time) throws IOException, InterruptedException {
        Path disk = cluster.data(server);
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            SystemPrograms.run("fsfreeze -f " + disk);
            try {
                Thread.sleep(random.nextInt(FROZEN_MILLIS));
            } finally {
                SystemPrograms.run("fsfreeze -u " + disk);
            }
            Thread.sleep(random.nextInt(SLOW_MILLIS));
        }
    }

    /** Loses the data of a server. The first one is the config server, whose data no other has. */
    private void lose(int server) throws IOException, InterruptedException {
        cluster.awaitPlaced(ProcessCluster.SERVERS, PATIENCE);
        cluster.kill(server);
        List<Path> files;
        try (Stream<Path> all = Files.walk(cluster.data(server))) {
            files = all.skip(1).toList();
        }
        for (Path each : files.reversed()) {
            Files.delete(each);
        }
        cluster.awaitDown(server, PATIENCE);
        cluster.start(server);
        cluster.awaitPlaced(ProcessCluster.SERVERS, PATIENCE);
    }

    private void retire(int server) throws IOException, InterruptedException {
        cluster.awaitPlaced(ProcessCluster.SERVERS, PATIENCE);
        cluster.deploy("retired " + server, OptionalInt.of(server));
        cluster.awaitPlaced(ProcessCluster.SERVERS - 1, PATIENCE);
        cluster.deploy("back", OptionalInt.empty());
        cluster.awaitPlaced(ProcessCluster.SERVERS, PATIENCE);
    }

    private void deploy() throws InterruptedException {
        try {
            cluster.deploy("remark " + random.nextInt(), OptionalInt.empty());
        } catch (IOException e) {
            out.println("  not deployed: " + e.getMessage());
        }
    }

    private void fill(int server, Duration time) throws IOException, InterruptedException {
        Path filler = cluster.data(server).resolve("filler");
        long free = Files.getFileStore(cluster.data(server)).getUsableSpace();
        long left = random.nextInt(1 << 20);
        SystemPrograms.run("fallocate -l %d %s".formatted(Math.max(1, free - left), filler));
        Thread.sleep(time);
        Files.delete(filler);
    }
}
