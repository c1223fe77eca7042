package org.crabro.perf.search;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.crabro.client.cli.ServerProcess;
import org.crabro.perf.data.SettledServer;
import org.crabro.perf.harness.ClosedLoop;
import org.crabro.perf.harness.Machine;
import org.crabro.perf.harness.Measured;
import org.crabro.perf.harness.ProcessUse;
import org.crabro.perf.harness.RunSize;
import org.crabro.perf.harness.ScoreSheet;
import org.crabro.perf.harness.Workload;
import org.crabro.perf.search.PersonalVectors.Users;

/**
 * Feeding, nearest neighbors of users of different sizes, visits, and the start of a server over
 * the same vectors.
 */
public final class VectorsWorkload implements Workload {
    private static final int VECTOR_BYTES = PersonalVectors.CELLS * Short.BYTES;

    @Override
    public String name() {
        return "vectors";
    }

    private static List<Users> users(RunSize size) {
        return size.isQuick()
                ? List.of(new Users(100, 20), new Users(1_000, 8), new Users(10_000, 1))
                : List.of(
                        new Users(100, 100),
                        new Users(1_000, 50),
                        new Users(10_000, 16),
                        new Users(100_000, 1));
    }

    @Override
    public void measure(Path folder, RunSize size, ScoreSheet results) throws Exception {
        List<Users> all = users(size);
        long documents = all.stream().mapToLong(each -> (long) each.vectors() * each.count()).sum();
        Path data = Files.createDirectory(folder.resolve("data"));
        PersonalVectors.feed(data, all);
        Path shared = Files.createDirectory(folder.resolve("shared"));
        writeVectors(shared, all);
        double memoryRead = 1e9 * Machine.memoryRead(RunSize.CLIENTS);
        long begin = System.nanoTime();
        try (ServerProcess server = PersonalVectors.start(data)) {
            PersonalVectors.ask(server, PersonalVectors.forms(all.getFirst()).getFirst());
            double started = (System.nanoTime() - begin) / 1e9;
            SettledServer.settle(server.config());
            var expected = new ArrayList<String>();
            for (Users users : all) {
                expected.addAll(expected(server, users));
                results.add(query(server, users, size, memoryRead, data, documents));
            }
            if (!size.isQuick()) {
                clients(server, size, results);
            }
            visit(server, size, documents, results);
            results.add(start(started));
            Files.write(shared.resolve("queries.tsv"), expected);
        }
        results.measurePeers("vectors", shared, size);
    }

    private static Measured query(
            ServerProcess server,
            Users users,
            RunSize size,
            double memoryRead,
            Path data,
            long documents)
            throws Exception {
        List<byte[]> forms = PersonalVectors.forms(users);
        ClosedLoop.Operation ask =
                (client, number) ->
                        PersonalVectors.ask(
                                server,
                                forms.get(
                                        (client * forms.size() / RunSize.CLIENTS + number)
                                                % forms.size()));
        ClosedLoop.run(RunSize.CLIENTS, size.warmUpSeconds(), ask);
        ProcessUse use = ProcessUse.of(List.of(server.pid()));
        ClosedLoop.Result result = ClosedLoop.run(RunSize.CLIENTS, size.seconds(), ask);
        return result.measured(
                task(users),
                result.rate("queries/s"),
                use.cost(result.count(), List.of(data), documents),
                Optional.of(
                        new Measured.Limit(
                                "memory read",
                                memoryRead / ((double) users.vectors() * VECTOR_BYTES))));
    }

    /** Measures users of 10,000 vectors with growing numbers of clients. */
    private static void clients(ServerProcess server, RunSize size, ScoreSheet results)
            throws Exception {
        var users = new Users(10_000, 16);
        List<byte[]> forms = PersonalVectors.forms(users);
        for (int clients : new int[] {1, 4, 8}) {
            ClosedLoop.Operation ask =
                    (client, number) ->
                            PersonalVectors.ask(
                                    server, forms.get((client + number) % forms.size()));
            ClosedLoop.run(clients, size.warmUpSeconds() / 2, ask);
            ProcessUse use = ProcessUse.of(List.of(server.pid()));
            ClosedLoop.Result result = ClosedLoop.run(clients, size.seconds(), ask);
            results.add(
                    result.measured(
                            "%s, %d client%s"
                                    .formatted(task(users), clients, clients == 1 ? "" : "s"),
                            result.rate("queries/s"),
                            use.cost(result.count(), List.of(), 0),
                            Optional.empty()));
        }
    }

    private static String task(Users users) {
        return "nearest of %,d vectors".formatted(users.vectors());
    }

    /** Returns a line for each query: task, group, number of the query, ids of the answer. */
    private static List<String> expected(ServerProcess server, Users users) throws IOException {
        var lines = new ArrayList<String>();
        List<byte[]> forms = PersonalVectors.forms(users);
        for (int i = 0; i < forms.size(); i++) {
            lines.add(
                    String.join(
                            "\t",
                            task(users),
                            users.group(i % users.count()),
                            Integer.toString(i),
                            String.join(" ", PersonalVectors.ids(server, forms.get(i)))));
        }
        return lines;
    }

    private static void visit(
            ServerProcess server, RunSize size, long documents, ScoreSheet results)
            throws Exception {
        for (int slices : new int[] {1, 2}) {
            var bytes = new long[slices];
            ClosedLoop.Operation visit =
                    (slice, _) ->
                            bytes[slice] +=
                                    VisitedServer.visit(
                                            server.container(), visitPath(slices, slice));
            ClosedLoop.run(slices, size.warmUpSeconds() / 2, visit);
            Arrays.fill(bytes, 0);
            ProcessUse use = ProcessUse.of(List.of(server.pid()));
            ClosedLoop.Result result = ClosedLoop.run(slices, size.seconds(), visit);
            double sum = Arrays.stream(bytes).sum();
            results.add(
                    result.measured(
                            "visiting vectors as numbers, %d slice%s"
                                    .formatted(slices, slices == 1 ? "" : "s"),
                            new Measured.Rate(sum / 1e6 / result.seconds(), "MB/s"),
                            use.cost(result.count() * documents / slices, List.of(), 0),
                            Optional.empty()));
        }
    }

    private static String visitPath(int slices, int slice) {
        return "/document/v1/perf/item/docid/?stream=true&timeout=300&slices=%d&sliceId=%d"
                .formatted(slices, slice);
    }

    private static Measured start(double seconds) {
        return new Measured(
                "start until the first answer",
                Measured.CRABRO,
                new Measured.Rate(1 / seconds, "starts/s"),
                Optional.of(new Measured.Latency(1e3 * seconds, 1e3 * seconds)),
                Measured.Cost.UNKNOWN,
                Optional.empty());
    }

    /**
     * Writes what other programs load: {@code users.tsv}, a group and its size on each line, {@code
     * vectors.f32}, all vectors in this order, and {@code queries.f32}.
     */
    private static void writeVectors(Path folder, List<Users> all) throws IOException {
        var random = new Random(PersonalVectors.SEED);
        var groups = new ArrayList<String>();
        try (OutputStream out =
                new BufferedOutputStream(Files.newOutputStream(folder.resolve("vectors.f32")))) {
            for (Users users : all) {
                for (int user = 0; user < users.count(); user++) {
                    groups.add(users.group(user) + "\t" + users.vectors());
                    for (int i = 0; i < users.vectors(); i++) {
                        out.write(vector(random));
                    }
                }
            }
        }
        Files.write(folder.resolve("users.tsv"), groups);
        var queries = new Random(PersonalVectors.QUERY_SEED);
        try (OutputStream out = Files.newOutputStream(folder.resolve("queries.f32"))) {
            for (int i = 0; i < PersonalVectors.QUERIES; i++) {
                out.write(vector(queries));
            }
        }
    }

    private static byte[] vector(Random random) {
        ByteBuffer cells =
                ByteBuffer.allocate(PersonalVectors.CELLS * Float.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < PersonalVectors.CELLS; i++) {
            cells.putFloat(random.nextFloat());
        }
        return cells.array();
    }
}
