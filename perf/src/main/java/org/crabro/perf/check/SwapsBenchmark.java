package org.crabro.perf.check;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.crabro.client.cli.ServerProcess;
import org.crabro.client.feed.FeedClient;
import org.crabro.client.feed.FeedResult;
import org.crabro.perf.data.DeployedPackage;
import org.crabro.perf.data.OneCluster;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Figures;

/**
 * Queries over HTTP that never stop, of a server in a process of its own: alone, and while twenty
 * packages follow each other at a steady rate.
 */
public final class SwapsBenchmark implements Benchmark {
    private static final int SWAPS = 20;
    private static final long BETWEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final int CLIENTS = 2;
    private static final int DOCUMENTS = 1_000;
    private static final int REQUESTS_IN_FLIGHT = 16;
    private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final String SERVICES = OneCluster.services("swaps", "note");

    @Override
    public String name() {
        return "swaps";
    }

    @Override
    public String summary() {
        return "queries while %d packages follow each other, against the same queries alone"
                .formatted(SWAPS);
    }

    @Override
    public Prepared prepare(Path folder) throws Exception {
        Path data = Files.createDirectory(folder.resolve("data"));
        ServerProcess server =
                ServerProcess.start(
                        List.of("--data", data.toString(), "--port", "0", "--config-port", "0"));
        HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        DeployedPackage.deploy(files(0), http, server);
        feed(server);
        var measured = new Measured(server, http);
        measured.alone(WARM_UP_NANOS);
        // Compiles the code of deployments as well.
        measured.swap();
        return measured;
    }

    private static void feed(ServerProcess server) throws IOException, InterruptedException {
        var lines = new StringBuilder();
        for (int id = 0; id < DOCUMENTS; id++) {
            lines.append("{\"put\":\"id:perf:note:g=one:")
                    .append(id)
                    .append("\",\"fields\":{\"text\":\"word number ")
                    .append(id % 100)
                    .append("\",\"year\":")
                    .append(id)
                    .append("}}\n");
        }
        try (var client = new FeedClient(server.container(), REQUESTS_IN_FLIGHT)) {
            FeedResult result =
                    client.feed(
                            new ByteArrayInputStream(
                                    lines.toString().getBytes(StandardCharsets.UTF_8)),
                            _ -> {});
            if (result.stored() != DOCUMENTS) {
                throw new IOException("not all was stored: " + result.problems());
            }
        }
    }

    /** Returns a package that ranks otherwise than the one before. */
    private static Map<String, String> files(int version) {
        return Map.of(
                "services.xml",
                SERVICES,
                "schemas/note.sd",
                """
                schema note {
                  document note {
                    field text type string { indexing: index | summary }
                    field year type int { indexing: attribute | summary }
                  }
                  rank-profile default {
                    first-phase { expression: bm25(text) + attribute(year) * %d }
                  }
                }
                """
                        .formatted(version));
    }

    private static final class Measured implements Prepared {
        private final ServerProcess server;
        private final HttpClient http;
        private final URI query;
        private int version;

        Measured(ServerProcess server, HttpClient http) {
            this.server = server;
            this.http = http;
            this.query =
                    server.container()
                            .resolve(
                                    "/search/?yql=select+*+from+note+where+text+contains+%22word%22"
                                            + "&streaming.groupname=one&timeout=30s");
        }

        @Override
        public void measure(Figures figures) throws Exception {
            var failed = new AtomicInteger();
            Histogram alone = alone(SWAPS * BETWEEN_NANOS, failed);
            Histogram swapped = asking(this::swap, failed);
            figures.add("alone: queries", "", (double) alone.getTotalCount());
            figures.add("alone: p50", "ms", alone.getValueAtPercentile(50) / 1e6);
            figures.add("alone: p99", "ms", alone.getValueAtPercentile(99) / 1e6);
            figures.add("swaps: queries", "", (double) swapped.getTotalCount());
            figures.add("swaps: p50", "ms", swapped.getValueAtPercentile(50) / 1e6);
            figures.add("swaps: p99", "ms", swapped.getValueAtPercentile(99) / 1e6);
            figures.add("swaps: longest", "ms", swapped.getMaxValue() / 1e6);
            figures.add(
                    "p99 of swaps over alone",
                    "",
                    (double) swapped.getValueAtPercentile(99) / alone.getValueAtPercentile(99));
            figures.add("queries that failed", "", failed.get());
        }

        void alone(long nanos) throws Exception {
            alone(nanos, new AtomicInteger());
        }

        private Histogram alone(long nanos, AtomicInteger failed) throws Exception {
            return asking(
                    () -> {
                        long end = System.nanoTime() + nanos;
                        while (System.nanoTime() < end) {
                            LockSupport.parkNanos(end - System.nanoTime());
                        }
                    },
                    failed);
        }

        /** Deploys twenty packages at a steady rate, or one after another if that is slower. */
        void swap() throws Exception {
            long begin = System.nanoTime();
            for (int i = 0; i < SWAPS; i++) {
                long due = begin + i * BETWEEN_NANOS;
                while (System.nanoTime() < due) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                DeployedPackage.deploy(files(++version), http, server);
            }
        }

        /** An action that runs during queries. */
        private interface Meanwhile {
            void run() throws Exception;
        }

        /** Returns how long queries took while something happened. */
        private Histogram asking(Meanwhile meanwhile, AtomicInteger failed) throws Exception {
            var isOver = new AtomicBoolean();
            var all = new Histogram(LONGEST_NANOS, 3);
            try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
                var asking = new ArrayList<Future<Histogram>>();
                for (int i = 0; i < CLIENTS; i++) {
                    asking.add(clients.submit(() -> ask(isOver, failed)));
                }
                try {
                    meanwhile.run();
                } finally {
                    isOver.set(true);
                }
                for (Future<Histogram> each : asking) {
                    all.add(each.get());
                }
            }
            return all;
        }

        private Histogram ask(AtomicBoolean isOver, AtomicInteger failed)
                throws IOException, InterruptedException {
            var times = new Histogram(LONGEST_NANOS, 3);
            while (!isOver.get()) {
                long begin = System.nanoTime();
                HttpResponse<String> answer =
                        http.send(
                                HttpRequest.newBuilder(query).build(),
                                HttpResponse.BodyHandlers.ofString());
                times.recordValue(Math.min(LONGEST_NANOS, System.nanoTime() - begin));
                if (answer.statusCode() != 200
                        || !answer.body().contains("\"totalCount\":" + DOCUMENTS)) {
                    failed.incrementAndGet();
                }
            }
            return times;
        }

        @Override
        public void close() {
            http.close();
            server.close();
        }
    }
}
