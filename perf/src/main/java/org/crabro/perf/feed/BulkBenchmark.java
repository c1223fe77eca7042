package org.crabro.perf.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.crabro.client.cli.ServerProcess;
import org.crabro.container.http.HttpListener;
import org.crabro.container.http.HttpSettings;
import org.crabro.perf.data.BodyCopier;
import org.crabro.perf.data.DeployedPackage;
import org.crabro.perf.data.MailTexts;
import org.crabro.perf.data.OneCluster;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.ProcessorTime;
import org.crabro.perf.harness.Scale;
import org.crabro.perf.harness.WarmUp;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Feeds a server in a process of its own with bodies of many lines. Compares with the same
 * documents in single requests over HTTP/2, with a server that reads the same bodies and drops
 * them, and with one that writes them to a file unchanged, with an fsync for each MiB. Each
 * measurement begins after the server has finished the work of earlier ones. Work after an answer
 * counts in the processor time of its measurement.
 */
public final class BulkBenchmark implements Benchmark {
    private static final int CELLS = 384;
    private static final int BODY_BYTES = Scale.of(64 << 20);
    private static final int SINGLE_MAX = Scale.of(20_000);
    private static final int IN_FLIGHT = 256;

    private static final int WARMING_BODIES = 6;
    private static final int SWALLOWED_FIRST = 48;

    /** Reading one body takes 30 ms, too short for a stable measurement, so several are read. */
    private static final int SWALLOWED_BODIES = 4;

    private static final int BULK_BODIES = 2;
    private static final long QUIET_MILLIS = 250;
    private static final long QUIET_CPU_NANOS = 15_000_000;
    private static final int QUIET_TRIALS = 80;
    private static final double MB = 1e6;

    static final String SERVICES = OneCluster.services("bulk", "item");

    static final String SCHEMA =
            """
            schema item {
              document item {
                field title type string { indexing: index | summary }
                field body type string { indexing: index | summary }
                field year type int { indexing: attribute | summary }
                field vector type tensor<float>(x[384]) { indexing: attribute | summary }
              }
            }
            """;

    private static final List<String> KINDS = List.of("text", "hex", "numbers");
    private static final String SINGLE = "single";
    private static final List<String> PARTS =
            Stream.concat(KINDS.stream(), Stream.of(SINGLE)).toList();

    private final List<String> parts;

    public BulkBenchmark() {
        this(PARTS);
    }

    private BulkBenchmark(List<String> parts) {
        this.parts = parts;
    }

    /** A kind of documents: the fields of each, and all of them as lines. */
    private static final class Kind {
        private final String name;
        private final List<String> fields = new ArrayList<>();
        private final byte[] body;

        Kind(String name, IntFunction<String> documents) throws IOException {
            this.name = name;
            var lines = new ByteArrayOutputStream();
            for (int i = 0; lines.size() < BODY_BYTES; i++) {
                String one = documents.apply(i);
                fields.add(one);
                lines.write(
                        "{\"put\":\"id:perf:item:g=user%d:%s%d\",\"fields\":%s}\n"
                                .formatted(i % 1_000, name.charAt(0), i, one)
                                .getBytes(UTF_8));
            }
            this.body = lines.toByteArray();
        }

        String name() {
            return name;
        }

        List<String> fields() {
            return fields;
        }

        byte[] lines() {
            return body;
        }
    }

    @Override
    public String name() {
        return "bulk";
    }

    @Override
    public String summary() {
        return "bodies of many documents, against one a request over HTTP/2 and against swallowing;"
                + " parts "
                + String.join(", ", PARTS);
    }

    @Override
    public Optional<Benchmark> only(List<String> only) {
        return PARTS.containsAll(only) && only.stream().anyMatch(KINDS::contains)
                ? Optional.of(new BulkBenchmark(List.copyOf(only)))
                : Optional.empty();
    }

    @Override
    public Prepared prepare(Path folder) throws Exception {
        List<Kind> kinds = kinds();
        Path data = Files.createDirectory(folder.resolve("data"));
        ServerProcess server =
                ServerProcess.start(
                        List.of("--data", data.toString(), "--port", "0", "--config-port", "0"));
        HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
        DeployedPackage.deploy(
                Map.of("services.xml", SERVICES, "schemas/item.sd", SCHEMA), http, server);
        HttpListener swallower =
                HttpListener.start(HttpSettings.loopback(0), new Swallower(), (_, _) -> {});
        var copier = new BodyCopier(folder.resolve("copied"));
        HttpListener copying = HttpListener.start(HttpSettings.loopback(0), copier, (_, _) -> {});
        return new Measured(
                server, swallower, copier, copying, http, kinds, parts.contains(SINGLE));
    }

    private List<Kind> kinds() throws IOException {
        var kinds = new ArrayList<Kind>();
        for (String kind : KINDS) {
            if (parts.contains(kind)) {
                kinds.add(new Kind(kind, documents(kind)));
            }
        }
        return kinds;
    }

    private static IntFunction<String> documents(String kind) {
        var texts = new MailTexts(7);
        var random = new Random(11);
        return switch (kind) {
            case "text" ->
                    i ->
                            "{\"title\":\"Mail number %d\",\"body\":%s,\"year\":%d}"
                                    .formatted(i, quoted(texts.body(i)), 2000 + i % 25);
            case "hex" -> i -> "{\"year\":%d,\"vector\":\"%s\"}".formatted(i, hex(random));
            case "numbers" -> i -> "{\"year\":%d,\"vector\":%s}".formatted(i, list(random));
            default -> throw new IllegalArgumentException(kind);
        };
    }

    static String quoted(byte[] text) {
        return '"' + new String(text, UTF_8).replace("\n", "\\n") + '"';
    }

    static String hex(Random random) {
        ByteBuffer cells = ByteBuffer.allocate(CELLS * Float.BYTES);
        for (int i = 0; i < CELLS; i++) {
            cells.putFloat((float) random.nextGaussian() / 16);
        }
        return HexFormat.of().formatHex(cells.array());
    }

    static String list(Random random) {
        var cells = new StringBuilder("[");
        for (int i = 0; i < CELLS; i++) {
            cells.append(i == 0 ? "" : ",").append((float) random.nextGaussian() / 16);
        }
        return cells.append(']').toString();
    }

    /** Reads bodies to their end. */
    private static final class Swallower extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback)
                throws IOException {
            Content.Source.consumeAll(request);
            Content.Sink.write(response, true, "{\"complete\":true}\n", callback);
            return true;
        }
    }

    private static final class Measured implements Prepared {
        private final ServerProcess server;
        private final HttpListener swallower;
        private final BodyCopier copier;
        private final HttpListener copying;
        private final HttpClient http;
        private final List<Kind> kinds;
        private final boolean withSingle;

        Measured(
                ServerProcess server,
                HttpListener swallower,
                BodyCopier copier,
                HttpListener copying,
                HttpClient http,
                List<Kind> kinds,
                boolean withSingle)
                throws Exception {
            this.server = server;
            this.swallower = swallower;
            this.copier = copier;
            this.copying = copying;
            this.http = http;
            this.kinds = kinds;
            this.withSingle = withSingle;
            for (int i = 0; i < SWALLOWED_FIRST; i += kinds.size()) {
                for (Kind kind : kinds) {
                    bulk(URI.create(swallower.url()), kind);
                }
            }
            WarmUp.of(server.pid(), this::warm);
            if (withSingle) {
                for (Kind kind : kinds) {
                    single(kind);
                }
            }
        }

        /** As many bodies as take a second or so. */
        private void warm() throws Exception {
            for (int i = 0; i < WARMING_BODIES; i += kinds.size()) {
                for (Kind kind : kinds) {
                    bulk(server.container(), kind);
                }
            }
        }

        @Override
        public void measure(Figures figures) throws Exception {
            for (Kind kind : kinds) {
                awaitQuiet();
                double swallowed = 0;
                for (int i = 0; i < SWALLOWED_BODIES; i++) {
                    swallowed += bulk(URI.create(swallower.url()), kind) / SWALLOWED_BODIES;
                }
                double copied = 0;
                for (int i = 0; i < SWALLOWED_BODIES; i++) {
                    copied += bulk(URI.create(copying.url()), kind) / SWALLOWED_BODIES;
                }
                double single = 0;
                double singleCpu = 0;
                if (withSingle) {
                    long before = ProcessorTime.nanos(server.pid());
                    single = single(kind);
                    awaitQuiet();
                    singleCpu =
                            singleCount(kind)
                                    / ((ProcessorTime.nanos(server.pid()) - before) / 1e9);
                }
                long cpu = ProcessorTime.nanos(server.pid());
                double seconds = 0;
                for (int i = 0; i < BULK_BODIES; i++) {
                    seconds += bulk(server.container(), kind) / BULK_BODIES;
                    awaitQuiet();
                }
                double cpuSeconds = (ProcessorTime.nanos(server.pid()) - cpu) / 1e9 / BULK_BODIES;
                double bulk = kind.fields().size() / seconds;
                double megabytes = kind.lines().length / MB;
                figures.add(kind.name() + ": bulk", "docs/s", bulk);
                if (withSingle) {
                    figures.add(kind.name() + ": one a request", "docs/s", single);
                    figures.add(kind.name() + ": bulk over one a request", "", bulk / single);
                    figures.add(
                            kind.name()
                                    + ": bulk over one a request, by processor time of the server",
                            "",
                            kind.fields().size() / cpuSeconds / singleCpu);
                }
                figures.add(kind.name() + ": bulk, bytes", "MB/s", megabytes / seconds);
                figures.add(kind.name() + ": swallowed", "MB/s", megabytes / swallowed);
                figures.add(kind.name() + ": copied to disk", "MB/s", megabytes / copied);
                figures.add(kind.name() + ": bulk over swallowed", "", swallowed / seconds);
                figures.add(
                        kind.name() + ": copied to disk over swallowed", "", swallowed / copied);
                figures.add(
                        kind.name() + ": bulk, per processor second of the server",
                        "MB",
                        megabytes / cpuSeconds);
            }
        }

        /** Waits until the server is idle. */
        private void awaitQuiet() throws InterruptedException {
            for (int i = 0; i < QUIET_TRIALS; i++) {
                long before = ProcessorTime.nanos(server.pid());
                Thread.sleep(QUIET_MILLIS);
                if (ProcessorTime.nanos(server.pid()) - before <= QUIET_CPU_NANOS) {
                    return;
                }
            }
            throw new IllegalStateException("the server does not come to rest");
        }

        /** Sends all lines as one body, reads the answer meanwhile, and returns the seconds. */
        private static double bulk(URI address, Kind kind) throws Exception {
            try (var socket = new Socket(address.getHost(), address.getPort());
                    ExecutorService sender = Executors.newSingleThreadExecutor()) {
                socket.setTcpNoDelay(true);
                long begin = System.nanoTime();
                Future<Optional<IOException>> sent =
                        sender.submit(() -> send(socket.getOutputStream(), kind));
                String last = lastLine(socket.getInputStream());
                double seconds = (System.nanoTime() - begin) / 1e9;
                Optional<IOException> problem = sent.get();
                if (problem.isPresent()) {
                    throw problem.get();
                }
                if (!last.contains("\"complete\":true") || last.contains("\"400\"")) {
                    throw new IOException("not all was stored: " + last);
                }
                return seconds;
            }
        }

        private static Optional<IOException> send(OutputStream out, Kind kind) {
            try {
                out.write(
                        ("POST /document/v1/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                                        + "Content-Type: application/jsonl\r\nContent-Length: "
                                        + kind.lines().length
                                        + "\r\n\r\n")
                                .getBytes(UTF_8));
                out.write(kind.lines());
                out.flush();
                return Optional.empty();
            } catch (IOException e) {
                return Optional.of(e);
            }
        }

        private static String lastLine(InputStream in) throws IOException {
            var buffered = new BufferedInputStream(in, 1 << 16);
            byte[] chunk = new byte[1 << 16];
            String end = "";
            for (int count = buffered.read(chunk); count >= 0; count = buffered.read(chunk)) {
                String more =
                        new String(chunk, Math.max(0, count - 400), Math.min(400, count), UTF_8);
                end = (end + more).substring(Math.max(0, end.length() + more.length() - 400));
            }
            return end;
        }

        private static int singleCount(Kind kind) {
            return Math.min(SINGLE_MAX, kind.fields().size());
        }

        /** Returns documents a second. */
        private double single(Kind kind) throws IOException, InterruptedException {
            // Negotiates HTTP/2: an idle connection was closed meanwhile.
            http.send(
                    HttpRequest.newBuilder(server.container().resolve("/state/v1/health")).build(),
                    HttpResponse.BodyHandlers.discarding());
            int count = singleCount(kind);
            var permits = new Semaphore(IN_FLIGHT);
            var answers = new ArrayList<CompletableFuture<Boolean>>();
            long begin = System.nanoTime();
            for (int i = 0; i < count; i++) {
                permits.acquire();
                HttpRequest request =
                        HttpRequest.newBuilder(
                                        server.container()
                                                .resolve(
                                                        "/document/v1/perf/item/group/user%d/s%d"
                                                                .formatted(i % 1_000, i)))
                                .header("Content-Type", "application/json")
                                .POST(
                                        HttpRequest.BodyPublishers.ofString(
                                                "{\"fields\":" + kind.fields().get(i) + "}"))
                                .build();
                answers.add(
                        http.sendAsync(request, HttpResponse.BodyHandlers.discarding())
                                .handle((answer, problem) -> {
                                    permits.release();
                                    return problem == null
                                            && answer.statusCode() == 200
                                            && answer.version() == HttpClient.Version.HTTP_2;
                                }));
            }
            permits.acquire(IN_FLIGHT);
            double seconds = (System.nanoTime() - begin) / 1e9;
            long failed = answers.stream().filter(stored -> !stored.join()).count();
            if (failed > 0) {
                throw new IllegalStateException(failed + " requests failed");
            }
            return count / seconds;
        }

        @Override
        public void close() {
            http.close();
            swallower.close();
            copying.close();
            try {
                copier.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            server.close();
        }
    }
}
