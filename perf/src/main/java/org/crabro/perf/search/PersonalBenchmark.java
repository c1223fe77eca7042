package org.crabro.perf.search;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.crabro.client.cli.ServerProcess;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.ProcessorTime;
import org.crabro.perf.harness.Together;
import org.crabro.perf.harness.WarmUp;
import org.crabro.perf.search.PersonalVectors.Users;

/**
 * Nearest neighbors of users with 1,000 to 100,000 vectors, queried over HTTP from a server in a
 * process of its own. Compares with a user without documents and with the time of the kernel alone.
 */
public final class PersonalBenchmark implements Benchmark {
    private static final Users EMPTY = new Users(0, 1);
    private static final Users SMALL = new Users(1_000, 1);

    /**
     * The vectors of one user with 10,000 stay in large caches. Those of sixteen users in turn come
     * from memory, as for users who query now and then.
     */
    private static final List<Users> USERS =
            List.of(
                    EMPTY,
                    SMALL,
                    new Users(10_000, 1),
                    new Users(10_000, 16),
                    new Users(50_000, 1),
                    new Users(100_000, 1));

    private static final int[] CLIENTS = {1, 2, 4, 8};
    private static final int QUERIES = 2_000;

    /** Users with many vectors get fewer queries, but every client sends at least some. */
    private static final int LEAST_QUERIES = 200;

    private static final int ROWS_ASKED = 20_000_000;

    /**
     * The number of parts of the queries; the kernel is measured before each part, because the
     * speed of memory varies.
     */
    private static final int TURNS = 4;

    /**
     * The number of queries per number of clients before the measurement. A method that is called
     * once per query is compiled with all optimizations after 5,000 calls, and again if several
     * clients use other paths.
     */
    private static final int WARMING_QUERIES = 20_000;

    private static final int CORES = Runtime.getRuntime().availableProcessors();

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
        int rows = 0;
        for (Users users : USERS) {
            rows = Math.max(rows, users.vectors() * users.count());
        }
        var kernel = new PersonalKernel(folder, rows);
        var measured = new Measured(PersonalVectors.start(data), kernel);
        measured.warmUp();
        return measured;
    }

    /** The measured server and its clients. */
    private static final class Measured implements Prepared {
        private final ServerProcess server;
        private final PersonalKernel kernel;

        Measured(ServerProcess server, PersonalKernel kernel) {
            this.server = server;
            this.kernel = kernel;
        }

        void warmUp() throws Exception {
            for (int clients : CLIENTS) {
                ask(PersonalVectors.forms(SMALL), clients, WARMING_QUERIES);
            }
            for (Users users : USERS) {
                List<byte[]> forms = PersonalVectors.forms(users);
                WarmUp.of(server.pid(), () -> ask(forms, CLIENTS[0], queries(users)));
            }
        }

        @Override
        public void measure(Figures figures) throws Exception {
            for (int clients : CLIENTS) {
                double empty = measure(EMPTY, clients, 0, figures);
                for (Users users : USERS.subList(1, USERS.size())) {
                    measure(users, clients, empty, figures);
                }
            }
        }

        /**
         * @param empty the time of a query of an empty user, in ms
         * @return the p50 in ms
         */
        private double measure(Users users, int clients, double empty, Figures figures)
                throws Exception {
            List<byte[]> forms = PersonalVectors.forms(users);
            Histogram times = Together.noTimes();
            double alone = 0;
            double together = 0;
            double seconds = 0;
            double cpuSeconds = 0;
            for (int turn = 0; turn < TURNS; turn++) {
                if (users.vectors() > 0) {
                    alone += kernel.millis(users, 1) / TURNS;
                    together += kernel.millis(users, CORES) / TURNS;
                }
                long cpu = ProcessorTime.nanos(server.pid());
                long begin = System.nanoTime();
                times.add(ask(forms, clients, queries(users) / TURNS));
                seconds += (System.nanoTime() - begin) / 1e9;
                cpuSeconds += (ProcessorTime.nanos(server.pid()) - cpu) / 1e9;
            }
            double p50 = times.getValueAtPercentile(50) / 1e6;
            String what = "%s, %d clients, ".formatted(users, clients);
            figures.add(what + "average", "ms", times.getMean() / 1e6);
            figures.add(what + "p50", "ms", p50);
            figures.add(what + "p99", "ms", times.getValueAtPercentile(99) / 1e6);
            figures.add(what + "queries", "per second", times.getTotalCount() / seconds);
            if (users.vectors() > 0) {
                double millions = (double) users.vectors() * times.getTotalCount() / 1e6;
                figures.add(what + "vectors a second", "M", millions / seconds);
                double byCpu = millions / cpuSeconds;
                figures.add(what + "vectors by CPU", "M per server CPU second", byCpu);
                figures.add(what + "kernel alone", "ms", alone);
                figures.add(what + "kernel on %d threads".formatted(CORES), "ms", together);
                double millionsByMilli = users.vectors() / 1e3;
                figures.add(what + "by CPU over kernel", "", byCpu * alone / millionsByMilli);
                figures.add(
                        what + "by CPU over kernel on %d threads".formatted(CORES),
                        "",
                        byCpu * together / millionsByMilli);
                if (clients == 1) {
                    figures.add(what + "p50 over empty", "ms", p50 - empty);
                    figures.add(what + "that by kernel", "", (p50 - empty) / alone);
                }
            }
            return p50;
        }

        private static int queries(Users users) {
            return users.vectors() == 0
                    ? QUERIES
                    : Math.clamp(ROWS_ASKED / users.vectors(), LEAST_QUERIES, QUERIES);
        }

        private Histogram ask(List<byte[]> forms, int clients, int queries) throws Exception {
            return Together.times(
                    clients,
                    (client, times) -> {
                        // Clients begin at different users.
                        int first = client * forms.size() / clients;
                        for (int i = 0; i < queries / clients; i++) {
                            byte[] form = forms.get((first + i) % forms.size());
                            long begin = System.nanoTime();
                            PersonalVectors.ask(server, form);
                            times.recordValue(System.nanoTime() - begin);
                        }
                    });
        }

        @Override
        public void close() throws IOException {
            server.close();
            kernel.close();
        }
    }
}
