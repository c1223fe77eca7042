package org.crabro.perf.check;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.crabro.client.cli.ServerProcess;
import org.crabro.perf.data.DeployedPackage;
import org.crabro.perf.harness.Command;
import org.crabro.perf.harness.Machine;

/**
 * Feeds, overwrites, removes and queries on a real server for a while, with a constant number of
 * live documents, and checks whether disk, memory and latencies stay constant. Before that, it
 * writes at full speed until the journal is full and every partition has as many runs as it merges.
 * The first third of the time is not counted either.
 */
public final class SoakCommand implements Command {
    private static final int SAMPLES = 30;
    private static final int USERS = 200;
    private static final int DOCUMENTS_PER_USER = 250;

    /** Of 1 KB each: more than the journal keeps, so that the disk is as full as it gets. */
    private static final int FILLING_WRITES = 1_500_000;

    private static final Pattern USED = Pattern.compile("used (\\d+)K");

    @Override
    public String name() {
        return "soak";
    }

    @Override
    public String summary() {
        return "[--minutes N]: whether disk, memory and latencies stay flat under load, 45 minutes";
    }

    @Override
    public int run(List<String> options, PrintStream out) throws Exception {
        double minutes = 45;
        if (options.size() == 2 && options.getFirst().equals("--minutes")) {
            minutes = Double.parseDouble(options.getLast());
        } else if (!options.isEmpty()) {
            out.println("'soak' takes '--minutes N' or nothing.");
            return 2;
        }
        Path folder = Files.createTempDirectory("crabro-soak");
        try {
            Machine.describe(folder).forEach(out::println);
            return soak(minutes, Files.createDirectory(folder.resolve("data")), out) ? 0 : 1;
        } finally {
            delete(folder);
        }
    }

    private static boolean soak(double minutes, Path data, PrintStream out) throws Exception {
        List<String> arguments =
                List.of("--data", data.toString(), "--port", "0", "--config-port", "0");
        try (ServerProcess server = ServerProcess.start(arguments);
                var http = HttpClient.newHttpClient()) {
            DeployedPackage.deploy(SoakLoad.PACKAGE, http, server);
            try (var load = new SoakLoad(server.container(), USERS, DOCUMENTS_PER_USER)) {
                out.printf(
                        "%n%d users of %d documents of 1 KB, written over and over%n",
                        USERS, DOCUMENTS_PER_USER);
                load.fill(FILLING_WRITES);
                out.println(SoakSample.header());
                var samples = new ArrayList<SoakSample>();
                load.start();
                long begin = System.nanoTime();
                for (int i = 1; i <= SAMPLES; i++) {
                    Duration end = Duration.ofMillis((long) (minutes * 60_000 * i / SAMPLES));
                    waitUntil(begin + end.toNanos());
                    load.check();
                    SoakSample sample = sample(server, http, load, data, minutes * i / SAMPLES);
                    out.println(sample.line());
                    if (i > SAMPLES / 3) {
                        samples.add(sample);
                    }
                }
                out.println();
                return SoakVerdict.print(samples, out);
            }
        }
    }

    private static void waitUntil(long nanos) throws InterruptedException {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            Thread.sleep(Duration.ofNanos(left));
        }
    }

    private static SoakSample sample(
            ServerProcess server, HttpClient http, SoakLoad load, Path data, double minute)
            throws IOException, InterruptedException {
        Histogram writes = load.writes();
        Histogram queries = load.queries();
        double seconds = (writes.getEndTimeStamp() - writes.getStartTimeStamp()) / 1e3;
        String metrics =
                get(http, server.container().resolve("/prometheus/v1/values?consumer=vespa"));
        return new SoakSample(
                minute,
                diskBytes(data),
                heapBytes(server.pid()),
                server.anonymousKib().orElse(0) * 1024.0,
                metric(metrics, "content_store_recent_bytes_last"),
                metric(metrics, "content_store_runs_last"),
                writes.getTotalCount() / seconds,
                queries.getTotalCount() / seconds,
                writes.getValueAtPercentile(50) / 1e6,
                writes.getValueAtPercentile(99) / 1e6,
                queries.getValueAtPercentile(50) / 1e6,
                queries.getValueAtPercentile(99) / 1e6);
    }

    private static double diskBytes(Path data) throws IOException {
        long bytes = 0;
        try (Stream<Path> paths = Files.walk(data)) {
            for (Path path : paths.toList()) {
                try {
                    bytes += Files.isRegularFile(path) ? Files.size(path) : 0;
                } catch (NoSuchFileException _) {
                    // The file was deleted after it was listed, so its size is 0.
                }
            }
        }
        return bytes;
    }

    /** Runs a full garbage collection in a process and returns the used heap in bytes. */
    private static double heapBytes(long pid) throws IOException, InterruptedException {
        jcmd(pid, "GC.run");
        Matcher used = USED.matcher(jcmd(pid, "GC.heap_info"));
        if (!used.find()) {
            throw new IOException("jcmd does not say what of the heap is used");
        }
        return Long.parseLong(used.group(1)) * 1024.0;
    }

    private static String jcmd(long pid, String command) throws IOException, InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process process =
                new ProcessBuilder(jcmd, Long.toString(pid), command)
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(said);
        }
        return said;
    }

    private static String get(HttpClient http, URI address)
            throws IOException, InterruptedException {
        HttpResponse<String> answer =
                http.send(
                        HttpRequest.newBuilder(address).build(),
                        HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(answer.statusCode() + ": " + answer.body());
        }
        return answer.body();
    }

    /** Returns a value of the last whole minute, not a number before there was one. */
    private static double metric(String metrics, String name) {
        Matcher line =
                Pattern.compile("^" + name + "(?:\\{.*})? ([0-9.E+-]+)", Pattern.MULTILINE)
                        .matcher(metrics);
        return line.find() ? Double.parseDouble(line.group(1)) : Double.NaN;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.toList().reversed()) {
                Files.delete(path);
            }
        }
    }
}
