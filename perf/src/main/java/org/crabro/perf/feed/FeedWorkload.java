package org.crabro.perf.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.crabro.client.cli.ServerProcess;
import org.crabro.perf.data.BulkBody;
import org.crabro.perf.data.DeployedPackage;
import org.crabro.perf.data.PlainHttp;
import org.crabro.perf.data.SettledServer;
import org.crabro.perf.harness.ClosedLoop;
import org.crabro.perf.harness.Measured;
import org.crabro.perf.harness.ProcessUse;
import org.crabro.perf.harness.RunSize;
import org.crabro.perf.harness.ScoreSheet;
import org.crabro.perf.harness.Workload;

/** Vectors as numbers, fed in one request and in one request each; every document is durable. */
public final class FeedWorkload implements Workload {
    private static final String UNIT = "documents/s";

    @Override
    public String name() {
        return "feed";
    }

    @Override
    public void measure(Path folder, RunSize size, ScoreSheet results) throws Exception {
        Path data = Files.createDirectory(folder.resolve("data"));
        int count = size.of(10_000, 100_000);
        List<String> arguments =
                List.of("--data", data.toString(), "--port", "0", "--config-port", "0");
        try (ServerProcess server = ServerProcess.start(arguments);
                var http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            DeployedPackage.deploy(
                    Map.of(
                            "services.xml",
                            BulkBenchmark.SERVICES,
                            "schemas/item.sd",
                            BulkBenchmark.SCHEMA),
                    http,
                    server);
            // The first body compiles the code that reads it.
            BulkBody.feed(http, server.container(), lines(count, "w"));
            byte[] lines = lines(count, "v");
            ProcessUse use = ProcessUse.of(List.of(server.pid()));
            long begin = System.nanoTime();
            BulkBody.feed(http, server.container(), lines);
            double seconds = (System.nanoTime() - begin) / 1e9;
            results.add(
                    new Measured(
                            "feeding vectors as numbers, one request",
                            Measured.CRABRO,
                            new Measured.Rate(count / seconds, UNIT),
                            Optional.empty(),
                            use.cost(count, List.of(), 0),
                            Optional.of(written(folder, lines, count))));
            singles(server, size, results);
            SettledServer.settle(server.config());
        }
    }

    private static void singles(ServerProcess server, RunSize size, ScoreSheet results)
            throws Exception {
        var random = new Random(3);
        byte[] body =
                "{\"fields\":{\"year\":1,\"vector\":%s}}"
                        .formatted(BulkBenchmark.list(random))
                        .getBytes(UTF_8);
        URI base = server.container().resolve("/document/v1/perf/item/group/user1/");
        ClosedLoop.Operation put =
                (client, number) ->
                        PlainHttp.post(
                                base.resolve("s%d-%d".formatted(client, number)),
                                "application/json",
                                body);
        ClosedLoop.run(RunSize.CLIENTS, size.warmUpSeconds(), put);
        ProcessUse use = ProcessUse.of(List.of(server.pid()));
        ClosedLoop.Result result = ClosedLoop.run(RunSize.CLIENTS, size.seconds(), put);
        results.add(
                result.measured(
                        "feeding vectors as numbers, single puts",
                        result.rate(UNIT),
                        use.cost(result.count(), List.of(), 0),
                        Optional.empty()));
    }

    private static byte[] lines(int count, String prefix) {
        var random = new Random(11);
        var lines = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            lines.writeBytes(
                    "{\"put\":\"id:perf:item:g=user%d:%s%d\",\"fields\":{\"year\":%d,\"vector\":%s}}\n"
                            .formatted(i % 100, prefix, i, i, BulkBenchmark.list(random))
                            .getBytes(UTF_8));
        }
        return lines.toByteArray();
    }

    /**
     * Returns the rate at which the same lines are written to a file, with one fsync at the end.
     */
    private static Measured.Limit written(Path folder, byte[] lines, int count) throws Exception {
        Path file = folder.resolve("written");
        long begin = System.nanoTime();
        try (FileChannel out =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            var bytes = ByteBuffer.wrap(lines);
            while (bytes.hasRemaining()) {
                int _ = out.write(bytes);
            }
            out.force(false);
        }
        return new Measured.Limit("lines to a file", count / ((System.nanoTime() - begin) / 1e9));
    }
}
