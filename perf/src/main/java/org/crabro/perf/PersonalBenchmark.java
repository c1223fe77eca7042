package org.crabro.perf;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;
import org.crabro.client.cli.ServerProcess;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.ranking.kernel.Distances;
import org.crabro.ranking.kernel.StoredVectors;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;

/**
 * Nearest neighbors of users with 1,000 to 100,000 vectors, asked over HTTP of a server in a
 * process of its own, beside a user without documents and the kernel's own time.
 */
final class PersonalBenchmark implements Benchmark {
    private static final int[] USERS = {0, 1_000, 10_000, 50_000, 100_000};
    private static final int[] CLIENTS = {1, 2, 4, 8};
    private static final int QUERIES = 1_000;

    /** Of users with many vectors fewer queries are asked, but each client asks some. */
    private static final int LEAST_QUERIES = 200;

    private static final int ROWS_ASKED = 20_000_000;

    /**
     * Queries of each number of clients before anything is measured: what is called once a query is
     * compiled for good after 5,000 calls, and anew where several clients take other ways.
     */
    private static final int WARMING_QUERIES = 20_000;

    /** After as many calls the compiler has done with the kernel. */
    private static final int WARMING_CALLS = 4_000;

    private static final long LONGEST_NANOS = 60_000_000_000L;
    private static final TensorType FIELD = TensorType.parse("tensor<bfloat16>(x[384])");

    @Override
    public String name() {
        return "personal";
    }

    @Override
    public String summary() {
        return "nearest neighbors of users of 1,000 to 100,000 vectors over HTTP, against an empty user";
    }

    @Override
    public Prepared prepare(Path folder) throws Exception {
        Path data = Files.createDirectory(folder.resolve("data"));
        PersonalVectors.feed(data, USERS);
        var measured = new Measured(PersonalVectors.start(data));
        measured.warmUp();
        return measured;
    }

    /** The server under measurement, and those that ask it. */
    private static final class Measured implements Prepared {
        private final ServerProcess server;

        Measured(ServerProcess server) {
            this.server = server;
        }

        void warmUp() throws Exception {
            for (int clients : CLIENTS) {
                ask(USERS[1], clients, WARMING_QUERIES);
            }
            for (int user : USERS) {
                WarmUp.of(server.pid(), () -> ask(user, CLIENTS[0], queries(user)));
            }
        }

        @Override
        public void measure(Figures figures) throws Exception {
            double[] kernelMillis = new double[USERS.length];
            for (int i = 1; i < USERS.length; i++) {
                kernelMillis[i] = kernelMillis(USERS[i]);
                figures.add("kernel alone, %,d vectors".formatted(USERS[i]), "ms", kernelMillis[i]);
            }
            for (int clients : CLIENTS) {
                double empty = 0;
                for (int i = 0; i < USERS.length; i++) {
                    String what = "%,d vectors, %d clients, ".formatted(USERS[i], clients);
                    long cpu = ProcessorTime.nanos(server.pid());
                    long begin = System.nanoTime();
                    Histogram times = ask(USERS[i], clients, queries(USERS[i]));
                    double seconds = (System.nanoTime() - begin) / 1e9;
                    double p50 = times.getValueAtPercentile(50) / 1e6;
                    figures.add(what + "average", "ms", times.getMean() / 1e6);
                    figures.add(what + "p50", "ms", p50);
                    figures.add(what + "p99", "ms", times.getValueAtPercentile(99) / 1e6);
                    figures.add(what + "queries", "per second", times.getTotalCount() / seconds);
                    if (i == 0) {
                        empty = p50;
                        continue;
                    }
                    double millions = (double) USERS[i] * times.getTotalCount() / 1e6;
                    double cpuSeconds = (ProcessorTime.nanos(server.pid()) - cpu) / 1e9;
                    double kernel = USERS[i] / kernelMillis[i] / 1e3;
                    figures.add(what + "vectors a second", "M", millions / seconds);
                    figures.add(
                            what + "vectors by CPU",
                            "M per server CPU second",
                            millions / cpuSeconds);
                    figures.add(what + "that over kernel", "", millions / cpuSeconds / kernel);
                    if (clients == 1) {
                        figures.add(what + "p50 over empty", "ms", p50 - empty);
                        figures.add(what + "that by kernel", "", (p50 - empty) / kernelMillis[i]);
                    }
                }
            }
        }

        private static int queries(int user) {
            return user == 0 ? QUERIES : Math.clamp(ROWS_ASKED / user, LEAST_QUERIES, QUERIES);
        }

        private Histogram ask(int user, int clients, int queries) throws Exception {
            var all = new Histogram(LONGEST_NANOS, 3);
            try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
                var parts = new ArrayList<Future<Histogram>>();
                for (int client = 0; client < clients; client++) {
                    int first = client;
                    parts.add(threads.submit(() -> askAlone(user, first, queries / clients)));
                }
                for (Future<Histogram> part : parts) {
                    all.add(part.get());
                }
            }
            return all;
        }

        private Histogram askAlone(int user, int first, int queries) throws IOException {
            List<byte[]> forms = PersonalVectors.forms(user);
            var times = new Histogram(LONGEST_NANOS, 3);
            for (int i = 0; i < queries; i++) {
                byte[] form = forms.get((first + i) % forms.size());
                long begin = System.nanoTime();
                PersonalVectors.ask(server, form);
                times.recordValue(System.nanoTime() - begin);
            }
            return times;
        }

        /**
         * The time that the kernel takes for so many vectors whose lengths are kept, as runs keep
         * them, one thread, warm: the median.
         */
        private static double kernelMillis(int rows) {
            int passes = ROWS_ASKED / rows;
            var random = new Random(11);
            double[] query = random.doubles(PersonalVectors.CELLS).toArray();
            Distances distances =
                    Distances.of(
                            DistanceMetric.ANGULAR,
                            FIELD,
                            DenseTensor.of(TensorType.parse("tensor<float>(x[384])"), query));
            var times = new Histogram(LONGEST_NANOS, 3);
            double[] into = new double[1_000];
            try (var arena = Arena.ofConfined()) {
                MemorySegment cells =
                        arena.allocate((long) rows * PersonalVectors.CELLS * Short.BYTES, 64);
                for (long i = 0; i < (long) rows * PersonalVectors.CELLS; i++) {
                    int bits = Float.floatToRawIntBits(random.nextFloat());
                    cells.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) (bits >>> Short.SIZE));
                }
                MemorySegment lengths = arena.allocate((long) rows * Float.BYTES);
                // As long as any: nothing depends on how long.
                lengths.fill((byte) 0x3e);
                var vectors = new StoredVectors(cells, Optional.of(lengths));
                for (int call = 0; call < WARMING_CALLS; call++) {
                    distances.run(vectors, 0, into.length, into);
                }
                for (int pass = 0; pass < passes; pass++) {
                    long begin = System.nanoTime();
                    for (int row = 0; row < rows; row += into.length) {
                        distances.run(vectors, row, into.length, into);
                    }
                    if (pass >= passes / 2) {
                        times.recordValue(System.nanoTime() - begin);
                    }
                }
            }
            return times.getValueAtPercentile(50) / 1e6;
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
