package org.crabro.perf.cluster;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.crabro.client.cli.ServerProcess;
import org.crabro.perf.data.BulkBody;
import org.crabro.perf.data.DeployedPackage;
import org.crabro.perf.data.OneCluster;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.ProcessorTime;
import org.crabro.perf.harness.WarmUp;

/** How fast three replicas are fed against one server, in turns on the same machine. */
final class ReplicaFeeds {
    private static final int ROUNDS = 5;

    /** The requests of a round, one after the other: more than is kept in memory. */
    private static final int FED_REQUESTS = 4;

    private static final int FED = 600_000;

    /** A server that takes less of a core has written its files. */
    private static final double RESTING = 0.15;

    private static final int WARM_UP_FED = 60_000;

    /** The time until a server has written its files. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private ReplicaFeeds() {}

    /** Feeds the same notes to the cluster and to one server, in turns. */
    static boolean measure(ProcessCluster cluster, Path folder, List<String> java, PrintStream out)
            throws Exception {
        var single = new ArrayList<FeedRates>();
        var clustered = new ArrayList<FeedRates>();
        List<String> arguments =
                List.of(
                        "--data",
                        Files.createDirectory(folder.resolve("single")).toString(),
                        "--port",
                        "0",
                        "--config-port",
                        "0");
        // The same heap for all four.
        Map<String, String> environment = Map.of("JAVA_TOOL_OPTIONS", String.join(" ", java));
        try (ServerProcess server = ServerProcess.start(arguments, environment);
                HttpClient http = ProcessCluster.client()) {
            DeployedPackage.deploy(
                    Map.of(
                            "services.xml",
                            OneCluster.services("notes", "note"),
                            "schemas/note.sd",
                            ProcessCluster.SCHEMA),
                    http,
                    server);
            List<Long> pids = new ArrayList<>(List.of(server.pid()));
            byte[] first = lines(0, WARM_UP_FED);
            WarmUp.of(server.pid(), () -> BulkBody.feed(http, server.container(), first));
            for (int i = 1; i <= ProcessCluster.SERVERS; i++) {
                URI container = cluster.container(i);
                pids.add(cluster.pid(i));
                WarmUp.of(cluster.pid(i), () -> BulkBody.feed(http, container, first));
            }
            // The first round is not counted: it compiles the code that writes files.
            for (int round = 0; round <= ROUNDS; round++) {
                List<byte[]> requests = new ArrayList<>();
                for (int i = 0; i < FED_REQUESTS; i++) {
                    requests.add(lines(1 + round * FED_REQUESTS + i, FED));
                }
                URI container = cluster.container(1 + round % ProcessCluster.SERVERS);
                FeedRates one = rates(http, server.container(), requests, pids);
                FeedRates three = rates(http, container, requests, pids);
                if (round > 0) {
                    single.add(one);
                    clustered.add(three);
                }
                out.printf(
                        "feed%s: one server %,.0f/s, until its files are written %,.0f/s;"
                                + " three replicas %,.0f/s, %,.0f/s%n",
                        round == 0 ? ", not counted" : "",
                        one.accepted,
                        one.written,
                        three.accepted,
                        three.written);
            }
        }
        out.printf(
                "feed, median: one server %,.0f/s, three replicas %,.0f/s, ratio %.2f;"
                        + " until files are written, ratio %.2f%n",
                median(single, FeedRates::accepted),
                median(clustered, FeedRates::accepted),
                ratio(clustered, single, FeedRates::accepted),
                ratio(clustered, single, FeedRates::written));
        return true;
    }

    /**
     * Notes a second.
     *
     * @param accepted until the last one was acknowledged
     * @param written until nothing more was written to files
     */
    private record FeedRates(double accepted, double written) {}

    private static double median(List<FeedRates> of, ToDoubleFunction<FeedRates> rate) {
        return Figures.median(of.stream().map(rate::applyAsDouble).sorted().toList());
    }

    /** Returns the median of the ratios of the rounds. */
    private static double ratio(
            List<FeedRates> of, List<FeedRates> over, ToDoubleFunction<FeedRates> rate) {
        return Figures.median(
                IntStream.range(0, of.size())
                        .mapToObj(i ->
                                rate.applyAsDouble(of.get(i)) / rate.applyAsDouble(over.get(i)))
                        .sorted()
                        .toList());
    }

    private static FeedRates rates(
            HttpClient http, URI server, List<byte[]> requests, List<Long> pids)
            throws IOException, InterruptedException {
        double begin = seconds();
        for (byte[] each : requests) {
            BulkBody.feed(http, server, each);
        }
        double accepted = seconds() - begin;
        double written = awaitIdle(pids) - begin;
        double notes = (double) requests.size() * FED;
        return new FeedRates(notes / accepted, notes / Math.max(accepted, written));
    }

    /** Waits until no process works; returns when that began. */
    private static double awaitIdle(List<Long> pids) throws InterruptedException {
        double end = seconds() + PATIENCE.toSeconds();
        while (true) {
            double begin = seconds();
            List<Long> before = pids.stream().map(ProcessorTime::nanos).toList();
            Thread.sleep(500);
            double nanos = (seconds() - begin) * 1e9;
            boolean rests = true;
            for (int i = 0; i < pids.size(); i++) {
                long used = ProcessorTime.nanos(pids.get(i)) - before.get(i);
                rests &= used < RESTING * nanos;
            }
            if (rests || begin > end) {
                return begin;
            }
        }
    }

    private static double seconds() {
        return System.nanoTime() / 1e9;
    }

    private static byte[] lines(int round, int count) {
        var lines = new StringBuilder();
        String text = "a note of about two hundred characters ".repeat(5);
        for (int i = 0; i < count; i++) {
            lines.append(
                    "{\"put\":\"id:feed:note:g=g%d:%d-%d\",\"fields\":{\"text\":\"%s\",\"count\":%d}}\n"
                            .formatted(i % 500, round, i, text, i));
        }
        return lines.toString().getBytes(StandardCharsets.UTF_8);
    }
}
