package org.crabro.perf.check;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.crabro.client.cli.ServerProcess;
import org.crabro.perf.data.DeployedPackage;
import org.crabro.perf.harness.Command;
import org.crabro.perf.harness.Machine;

/**
 * Measures the cost of a reader that stops in the middle of a visit of 1 GB, over HTTP, for a
 * server in a process of its own: memory after collection compared with the server without it,
 * files that it keeps from being deleted, and documents that it does not get.
 */
public final class StalledCommand implements Command {
    private static final long COST_MAX = 64L << 20;
    private static final int TEXT = 1_000;
    private static final int BATCH = 20_000;
    private static final int LINES = 1_000;

    /** Flushes after which the runs of a partition are merged. */
    private static final int ROUNDS = 8;

    private static final Duration MERGING = Duration.ofMinutes(1);

    /** The status of a backup that takes longer than a request waits. */
    private static final int STILL_RUNNING = 202;

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    private static final String PUT = "{\"put\":\"id:perf:note::";
    private static final String END = "{\"continuation\":{\"percentFinished\":100.0}}";

    private static final Pattern USED = Pattern.compile("used (\\d+)K");
    private static final Pattern RANGE = Pattern.compile("\\[0x([0-9a-f]+), 0x([0-9a-f]+)\\)");
    private static final Pattern MAPPING = Pattern.compile("^([0-9a-f]+)-[0-9a-f]+ ");

    private static final Map<String, String> PACKAGE =
            Map.of(
                    "services.xml",
                    """
                    <services version="1.0">
                      <container id="default" version="1.0"><document-api/></container>
                      <content id="stalled" version="1.0">
                        <min-redundancy>1</min-redundancy>
                        <documents><document type="note" mode="streaming"/></documents>
                      </content>
                    </services>
                    """,
                    "schemas/note.sd",
                    """
                    schema note {
                      document note {
                        field text type string { indexing: summary }
                      }
                    }
                    """);

    @Override
    public String name() {
        return "stalled";
    }

    @Override
    public String summary() {
        return "[--seconds N] [--megabytes N]: what a reader costs that stops amid a visit of 1 GB";
    }

    @Override
    public int run(List<String> options, PrintStream out) throws Exception {
        double seconds = 60;
        long megabytes = 1_000;
        for (int i = 0; i < options.size(); i += 2) {
            String value = i + 1 < options.size() ? options.get(i + 1) : "";
            switch (options.get(i)) {
                case "--seconds" -> seconds = Double.parseDouble(value);
                case "--megabytes" -> megabytes = Long.parseLong(value);
                default -> {
                    out.println("'stalled' takes '--seconds N', '--megabytes N' or nothing.");
                    return 2;
                }
            }
        }
        Path folder = Files.createTempDirectory("crabro-stalled");
        try {
            Machine.describe(folder).forEach(out::println);
            return run(Files.createDirectory(folder.resolve("data")), seconds, megabytes, out)
                    ? 0
                    : 1;
        } finally {
            delete(folder);
        }
    }

    private static boolean run(Path data, double seconds, long megabytes, PrintStream out)
            throws Exception {
        List<String> arguments =
                List.of("--data", data.toString(), "--port", "0", "--config-port", "0");
        int documents = (int) (megabytes * 1_000_000 / TEXT);
        try (ServerProcess server = ServerProcess.start(arguments);
                var http = HttpClient.newHttpClient()) {
            DeployedPackage.deploy(PACKAGE, http, server);
            feed(http, server, documents);
            flush(http, server, data.resolveSibling("backup"));
            out.printf("%n%,d documents, %,d MB of text%n", documents, megabytes);
            // Read once completely, so that the memory that any visit needs is allocated before the
            // comparison.
            try (var whole = new Reader(http, server)) {
                whole.read(documents);
                whole.checkEnd(documents);
            }
            // Wait as long as the reader will stop, so that memory for feeding is released.
            Thread.sleep(Duration.ofMillis((long) (seconds * 1_000)));
            Memory before = Memory.of(server.pid());
            boolean isPinned;
            long cost;
            try (var stalled = new Reader(http, server)) {
                stalled.read(documents / 2);
                Thread.sleep(Duration.ofMillis((long) (seconds * 1_000)));
                Memory amid = Memory.of(server.pid());
                cost = amid.bytes() - before.bytes();
                out.printf("before:             %s%n", before);
                out.printf("stopped for %,4.0f s: %s%n", seconds, amid);
                isPinned = isPinned(http, server, data, documents, out);
                stalled.read(documents);
                stalled.checkEnd(documents);
            }
            out.printf(
                    "it cost %.1f MB, at most %.1f are allowed; all %,d documents came%n",
                    cost / 1e6, COST_MAX / 1e6, documents);
            return cost <= COST_MAX && !isPinned;
        }
    }

    /** Overwrites a part of the documents until files are merged, and checks which files remain. */
    private static boolean isPinned(
            HttpClient http, ServerProcess server, Path data, int documents, PrintStream out)
            throws Exception {
        Set<Path> before = runs(data);
        for (int round = 0; round < ROUNDS; round++) {
            feed(http, server, documents / 16);
            flush(http, server, data.resolveSibling("backup" + round));
        }
        long end = System.nanoTime() + MERGING.toNanos();
        Set<Path> gone = new HashSet<>(before);
        while (gone.size() == before.size() && System.nanoTime() - end < 0) {
            Thread.sleep(BETWEEN_LOOKS);
            gone = new HashSet<>(before);
            gone.retainAll(runs(data));
        }
        // Files leave the process some time after they left the folder.
        long mapped = mappedAndDeleted(server.pid());
        while (mapped > 0 && System.nanoTime() - end < 0) {
            Thread.sleep(BETWEEN_LOOKS);
            mapped = mappedAndDeleted(server.pid());
        }
        out.printf(
                "written over: %d of %d files are gone, %d of these are still mapped%n",
                before.size() - gone.size(), before.size(), mapped);
        return mapped > 0 || gone.size() == before.size();
    }

    private static Set<Path> runs(Path data) throws IOException {
        try (Stream<Path> paths = Files.walk(data)) {
            return paths.filter(path -> path.toString().endsWith(".run"))
                    .collect(Collectors.toSet());
        }
    }

    private static long mappedAndDeleted(long pid) throws IOException {
        try (Stream<String> maps = Files.lines(Path.of("/proc", Long.toString(pid), "maps"))) {
            return maps.filter(line -> line.contains(".run (deleted)")).count();
        }
    }

    /**
     * The memory of a server: of its heap after collection, and anonymous memory outside of the
     * heap.
     */
    private record Memory(long heap, long outside) {
        static Memory of(long pid) throws IOException, InterruptedException {
            jcmd(pid, "GC.run");
            String info = jcmd(pid, "GC.heap_info");
            Matcher used = USED.matcher(info);
            Matcher range = RANGE.matcher(info);
            if (!used.find() || !range.find()) {
                throw new IOException("jcmd does not say what of the heap is used: " + info);
            }
            long outside =
                    anonymous(
                            pid,
                            Long.parseUnsignedLong(range.group(1), 16),
                            Long.parseUnsignedLong(range.group(2), 16));
            return new Memory(Long.parseLong(used.group(1)) * 1024, outside);
        }

        /** Returns the used anonymous memory in bytes, except in a range of addresses. */
        private static long anonymous(long pid, long from, long to) throws IOException {
            long bytes = 0;
            boolean isOutside = true;
            for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "smaps"))) {
                Matcher mapping = MAPPING.matcher(line);
                if (mapping.find()) {
                    long start = Long.parseUnsignedLong(mapping.group(1), 16);
                    isOutside = start < from || start >= to;
                } else if (isOutside && line.startsWith("Anonymous:")) {
                    bytes += Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
                }
            }
            return bytes;
        }

        long bytes() {
            return heap + outside;
        }

        @Override
        public String toString() {
            return "%,d KB of heap, %,d KB outside".formatted(heap >> 10, outside >> 10);
        }
    }

    /** Reads lines of a visit of all documents, on request. */
    private static final class Reader implements AutoCloseable {
        private final BufferedReader lines;
        private final BitSet seen = new BitSet();
        private String last = "";

        Reader(HttpClient http, ServerProcess server) throws IOException, InterruptedException {
            HttpResponse<InputStream> response =
                    http.send(
                            HttpRequest.newBuilder(
                                            server.container()
                                                    .resolve(
                                                            "/document/v1/?cluster=stalled&stream=true&timeout=1000"))
                                    .version(HttpClient.Version.HTTP_1_1)
                                    .header("Accept", "application/jsonl")
                                    .build(),
                            HttpResponse.BodyHandlers.ofInputStream());
            if (response.statusCode() != 200) {
                throw new IOException("the visit was answered with " + response.statusCode());
            }
            this.lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8));
        }

        /** Reads until this number of documents has arrived, or all. */
        void read(int documents) throws IOException {
            while (seen.cardinality() < documents) {
                for (int i = 0; i < LINES; i++) {
                    String line = lines.readLine();
                    if (line == null) {
                        return;
                    }
                    take(line);
                }
            }
        }

        private void take(String line) {
            last = line;
            if (line.startsWith(PUT)) {
                seen.set(Integer.parseInt(line, PUT.length(), line.indexOf('"', PUT.length()), 10));
            }
        }

        /** Fails if the last line does not report a complete visit, or a document is missing. */
        void checkEnd(int documents) throws IOException {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                take(line);
            }
            if (seen.cardinality() != documents || !last.equals(END)) {
                throw new IOException(
                        "%,d of %,d documents came, and at the end %s"
                                .formatted(seen.cardinality(), documents, last));
            }
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }

    private static void feed(HttpClient http, ServerProcess server, int documents)
            throws IOException, InterruptedException {
        var random = new Random(documents);
        for (int from = 0; from < documents; from += BATCH) {
            var body = new StringBuilder();
            for (int i = from; i < Math.min(documents, from + BATCH); i++) {
                body.append(PUT).append(i).append("\",\"fields\":{\"text\":\"");
                for (int letters = 0; letters < TEXT; letters += 10) {
                    // The first of eleven digits contains few random bits.
                    long digits = (random.nextLong() >>> 8) | (1L << 55);
                    body.append(Long.toString(digits, 36), 1, 11);
                }
                body.append("\"}}\n");
            }
            post(
                    http,
                    server.container().resolve("/document/v1/?answers=failed"),
                    "application/jsonl",
                    body.toString(),
                    "\"failed\":0");
        }
    }

    /** Flushes recent documents, which is the first step of a backup. */
    public static void flush(HttpClient http, ServerProcess server, Path backup)
            throws IOException, InterruptedException {
        URI address = server.config().resolve("/crabro/v1/backup");
        HttpResponse<String> answer =
                http.send(
                        HttpRequest.newBuilder(address)
                                .header("Content-Type", "application/json")
                                .POST(
                                        HttpRequest.BodyPublishers.ofString(
                                                "{\"directory\":\"%s\"}".formatted(backup)))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        while (answer.statusCode() == STILL_RUNNING) {
            Thread.sleep(BETWEEN_LOOKS);
            answer =
                    http.send(
                            HttpRequest.newBuilder(address).build(),
                            HttpResponse.BodyHandlers.ofString());
        }
        if (answer.statusCode() != 200) {
            throw new IOException(address + " answered " + answer.statusCode() + answer.body());
        }
    }

    /** Posts something, and fails where the answer does not hold {@code expected}. */
    public static void post(HttpClient http, URI address, String type, String body, String expected)
            throws IOException, InterruptedException {
        HttpResponse<String> answer =
                http.send(
                        HttpRequest.newBuilder(address)
                                .header("Content-Type", type)
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200 || !answer.body().contains(expected)) {
            throw new IOException(address + " answered " + answer.statusCode() + answer.body());
        }
    }

    private static String jcmd(long pid, String command) throws IOException, InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process process =
                new ProcessBuilder(jcmd, Long.toString(pid), command)
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(said);
        }
        return said;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.toList().reversed()) {
                Files.delete(path);
            }
        }
    }
}
