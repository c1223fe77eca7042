package org.crabro.perf.search;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.crabro.client.cli.ServerProcess;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Figures;

/**
 * The first queries of new servers, for near vectors of one user, at once and some seconds after
 * the start: by then a server has warmed up the loops of its schemas.
 */
public final class FreshBenchmark implements Benchmark {
    private static final List<PersonalVectors.Users> USERS =
            List.of(new PersonalVectors.Users(1_000, 1), new PersonalVectors.Users(10_000, 1));
    private static final int[] WAITED_SECONDS = {0, 4};
    private static final int QUERIES = 100;

    /** The number of queries after the first one, which has one-time costs. */
    private static final int NEXT = 10;

    @Override
    public String name() {
        return "fresh";
    }

    @Override
    public String summary() {
        return "first queries of servers just started, users of 1,000 and 10,000 vectors";
    }

    @Override
    public Prepared prepare(Path folder) throws Exception {
        Path data = Files.createDirectory(folder.resolve("data"));
        PersonalVectors.feed(data, USERS);
        return figures -> {
            for (PersonalVectors.Users user : USERS) {
                for (int seconds : WAITED_SECONDS) {
                    measure(data, user, seconds, figures);
                }
            }
        };
    }

    private static void measure(Path data, PersonalVectors.Users user, int waited, Figures figures)
            throws Exception {
        List<byte[]> forms = PersonalVectors.forms(user);
        double[] millis = new double[QUERIES];
        try (ServerProcess server = PersonalVectors.start(data)) {
            Thread.sleep(1_000L * waited);
            for (int i = 0; i < QUERIES; i++) {
                long begin = System.nanoTime();
                PersonalVectors.ask(server, forms.get(i % forms.size()));
                millis[i] = (System.nanoTime() - begin) / 1e6;
            }
        }
        String what = "%,d vectors, after %d s: ".formatted(user.vectors(), waited);
        figures.add(what + "first query", "ms", millis[0]);
        double next = Arrays.stream(millis, 1, 1 + NEXT).average().orElseThrow();
        figures.add(what + "average of the next %d".formatted(NEXT), "ms", next);
        figures.add(
                what + "first %d together".formatted(QUERIES), "ms", Arrays.stream(millis).sum());
    }
}
