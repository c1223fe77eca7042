package org.crabro.perf.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.perf.data.BulkBody;
import org.crabro.perf.data.PlainHttp;
import org.crabro.perf.harness.ClosedLoop;
import org.crabro.perf.harness.Measured;
import org.crabro.perf.harness.ProcessUse;
import org.crabro.perf.harness.RunSize;
import org.crabro.perf.harness.ScoreSheet;
import org.crabro.perf.harness.Workload;

/** Feeding and queries of three servers on this machine, with three copies of each note. */
public final class ClusterWorkload implements Workload {
    private static final int GROUPS = 20;

    @Override
    public String name() {
        return "cluster";
    }

    @Override
    public void measure(Path folder, RunSize size, ScoreSheet results) throws Exception {
        List<String> java = new ArrayList<>(FailoverCommand.LAUNCHER);
        java.add("-Xmx512m");
        int notes = size.of(20_000, 200_000);
        try (var cluster =
                        new ProcessCluster(folder, new ClusterNetwork.Loopback(), java, List.of());
                HttpClient http = ProcessCluster.client()) {
            cluster.startAll();
            List<Long> pids = ProcessCluster.servers().mapToObj(cluster::pid).toList();
            List<Path> data = ProcessCluster.servers().mapToObj(cluster::data).toList();
            BulkBody.feed(http, cluster.container(1), lines("w", notes));
            byte[] lines = lines("n", notes);
            ProcessUse use = ProcessUse.of(pids);
            long begin = System.nanoTime();
            BulkBody.feed(http, cluster.container(1), lines);
            double seconds = (System.nanoTime() - begin) / 1e9;
            results.add(
                    new Measured(
                            "three servers: feeding notes, one request",
                            Measured.CRABRO,
                            new Measured.Rate(notes / seconds, "documents/s"),
                            Optional.empty(),
                            use.cost(notes, data, 2L * notes),
                            Optional.empty()));
            results.add(
                    measure(
                            "three servers: single puts",
                            "documents/s",
                            pids,
                            size,
                            (client, number) ->
                                    PlainHttp.post(
                                            cluster.container(1 + client)
                                                    .resolve(
                                                            "/document/v1/perf/note/group/s/%d-%d"
                                                                    .formatted(client, number)),
                                            "application/json",
                                            "{\"fields\":{\"text\":\"short\",\"count\":1}}"
                                                    .getBytes(UTF_8))));
            results.add(
                    measure(
                            "three servers: word in %,d notes".formatted(2 * notes / GROUPS),
                            "queries/s",
                            pids,
                            size,
                            (client, number) -> {
                                String _ =
                                        PlainHttp.get(query(cluster.container(1 + client), number));
                            }));
        }
    }

    private static Measured measure(
            String task, String unit, List<Long> pids, RunSize size, ClosedLoop.Operation operation)
            throws Exception {
        ClosedLoop.run(RunSize.CLIENTS, size.warmUpSeconds(), operation);
        ProcessUse use = ProcessUse.of(pids);
        ClosedLoop.Result result = ClosedLoop.run(RunSize.CLIENTS, size.seconds(), operation);
        return result.measured(
                task, result.rate(unit), use.cost(result.count(), List.of(), 0), Optional.empty());
    }

    private static URI query(URI server, int number) {
        return server.resolve(
                "/search/?timeout=20s&streaming.groupname=g%d&yql=%s"
                        .formatted(
                                number % GROUPS,
                                URLEncoder.encode(
                                        "select * from note where text contains \"%d\""
                                                .formatted(number % 100),
                                        UTF_8)));
    }

    private static byte[] lines(String prefix, int count) {
        var lines = new StringBuilder();
        String text = "a note of about two hundred characters ".repeat(5);
        for (int i = 0; i < count; i++) {
            lines.append(
                    "{\"put\":\"id:perf:note:g=g%d:%s%d\",\"fields\":{\"text\":\"%s %d\",\"count\":%d}}\n"
                            .formatted(i % GROUPS, prefix, i, text, i % 100, i));
        }
        return lines.toString().getBytes(UTF_8);
    }
}
