package org.crabro.client.cli;

import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.crabro.client.deploy.ApplicationZip;
import org.crabro.client.deploy.SampleDirectory;
import org.crabro.client.feed.FeedClient;
import org.crabro.client.feed.FeedResult;
import org.crabro.client.http.ServerAccess;
import org.crabro.client.process.ProgressWatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Demonstrates Crabro with real data: starts a server, deploys, feeds and queries. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = "Starts a server, deploys a sample, feeds it and runs four queries.",
        footerHeading = "%nExamples:%n",
        footer = {"  crabro demo", "  crabro demo --keep --port 8080 --config-port 19071"})
public final class DemoCommand implements Callable<Integer> {
    private static final int REQUESTS_IN_FLIGHT = 32;
    private static final int BAR_WIDTH = 40;
    private static final int HITS_SHOWN = 3;
    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final JsonMapper JSON = new JsonMapper();

    @Option(
            names = "--port",
            defaultValue = "0",
            description = "Port for search and documents; 0 for any that is free.")
    private int port;

    @Option(
            names = "--config-port",
            defaultValue = "0",
            description = "Port for packages; 0 for any that is free.")
    private int configPort;

    @Option(names = "--keep", description = "Leave the server running, and its data.")
    private boolean keep;

    @Option(
            names = "--restarts",
            defaultValue = "5",
            description = "How often to stop and start the server; default: ${DEFAULT-VALUE}.")
    private int restarts;

    @Option(
            names = "--sample",
            description = "The sample's directory; default: commits of the samples of Crabro.")
    private @Nullable Path sample;

    @Spec private CommandSpec spec = CommandSpec.create();

    private final PrintStream out = System.out;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (restarts < 0) {
            throw new ParameterException(
                    spec.commandLine(), "--restarts must be 0 or more, is " + restarts);
        }
        SampleDirectory shown = SampleDirectory.of(sample, System.getenv("CRABRO_SAMPLES"));
        Path data = Files.createTempDirectory("crabro-demo-");
        var running = new AtomicReference<>(start(data, port, configPort));
        var cleanUp = Thread.ofPlatform().name("stop").unstarted(() -> running.get().close());
        Runtime.getRuntime().addShutdownHook(cleanUp);
        try (var calls = new ServerCalls(ServerAccess.of(running.get().container()))) {
            ServerProcess server = running.get();
            say("1  A server is up, all roles in one process: %s".formatted(server.container()));
            printMemory(server);

            calls.deploy(server.config(), ApplicationZip.of(shown.application()));
            say("2  The application package %s is deployed.".formatted(shown.name()));

            say("3  Feeding commits of public repositories; each gets an embedding on the way:");
            feed(server.container(), shown.feed());

            say("4  Four queries, each over one person's documents alone:");
            JsonNode queries = JSON.readTree(Files.readString(shown.queries()));
            for (JsonNode query : queries) {
                ask(calls, server.container(), query);
            }

            if (restarts > 0) {
                restart(calls, running, data, queries.get(0).get("parameters").toString());
            }
            goOn(running.get(), data);
            if (keep) {
                Runtime.getRuntime().removeShutdownHook(cleanUp);
            }
        } finally {
            if (!keep) {
                running.get().close();
                delete(data);
            }
        }
        return 0;
    }

    private static ServerProcess start(Path data, int port, int configPort) throws IOException {
        return ServerProcess.start(
                List.of(
                        "--data",
                        data.toString(),
                        "--port",
                        Integer.toString(port),
                        "--config-port",
                        Integer.toString(configPort)));
    }

    private void feed(URI container, Path file) throws IOException, InterruptedException {
        long total;
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            total = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().count();
        }
        FeedResult result;
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file));
                var client = new FeedClient(container, REQUESTS_IN_FLIGHT)) {
            result = client.feed(in, progress(total));
        }
        out.println();
        result.problems().forEach(out::println);
        if (result.failed() > 0) {
            throw new IOException(result.failed() + " documents were not stored");
        }
        double seconds = result.took().toMillis() / 1000.0;
        say(
                "   %,d documents stored, each durable before its answer, in %.1f s (%,.0f a second)."
                        .formatted(result.stored(), seconds, result.stored() / seconds));
    }

    /** A bar on a terminal, a line for each tenth elsewhere. */
    private LongConsumer progress(long total) {
        boolean terminal = isTerminal();
        return done -> {
            long percent = done * 100 / total;
            if (terminal) {
                int filled = (int) (done * BAR_WIDTH / total);
                out.print(
                        "\r   [%s%s] %3d %%"
                                .formatted(
                                        "#".repeat(filled),
                                        " ".repeat(BAR_WIDTH - filled),
                                        percent));
            } else if (percent % 10 == 0 && (done - 1) * 100 / total != percent) {
                say("   %d %%".formatted(percent));
            }
        };
    }

    private void ask(ServerCalls calls, URI container, JsonNode query)
            throws IOException, InterruptedException {
        JsonNode parameters = query.get("parameters");
        String request = parameters.toString();
        long begin = System.nanoTime();
        byte[] result = calls.search(container, request);
        double millis = (System.nanoTime() - begin) / 1e6;
        JsonNode root = JSON.readTree(result).get("root");
        out.println();
        say("   %s".formatted(query.get("title").asString()));
        say("     %s".formatted(parameters.get("yql").asString()));
        say(
                "     %d of %d documents match, %.1f ms:"
                        .formatted(
                                root.get("fields").get("totalCount").asInt(),
                                root.get("coverage").get("documents").asInt(),
                                millis));
        int shown = 0;
        for (JsonNode hit : root.path("children")) {
            if (shown++ == HITS_SHOWN) {
                break;
            }
            JsonNode fields = hit.get("fields");
            say(
                    "     %8.4f  %tF  %s"
                            .formatted(
                                    hit.get("relevance").asDouble(),
                                    fields.get("timestamp").asLong() * 1000,
                                    fields.get("subject").asString()));
            if (fields.has("matchfeatures")) {
                say("               %s".formatted(fields.get("matchfeatures")));
            }
        }
    }

    /** Stops and starts the server a few times: everything must still be there, and soon. */
    private void restart(
            ServerCalls calls, AtomicReference<ServerProcess> running, Path data, String query)
            throws IOException, InterruptedException {
        out.println();
        int samePort = running.get().container().getPort();
        int sameConfigPort = running.get().config().getPort();
        var millis = new ArrayList<Long>();
        for (int i = 0; i < restarts; i++) {
            running.get().close();
            long begin = System.nanoTime();
            running.set(start(data, samePort, sameConfigPort));
            URI container = running.get().container();
            var watch = ProgressWatch.begin();
            Polling.until(
                    answers -> answers,
                    calls.answers(container, query),
                    () -> {
                        requireProgress(running.get(), watch);
                        return calls.answers(container, query);
                    },
                    PAUSE);
            millis.add((System.nanoTime() - begin) / 1_000_000);
        }
        List<Long> sorted = millis.stream().sorted().toList();
        say(
                "5  Stopped and started %d times: first answer to a query after %d ms (median of %s)."
                        .formatted(restarts, sorted.get(restarts / 2), sorted));
    }

    private static void requireProgress(ServerProcess server, ProgressWatch watch)
            throws IOException, InterruptedException {
        OptionalInt status = server.exitStatus(Duration.ZERO);
        if (status.isPresent()) {
            throw new IOException(
                    "the restarted server has ended with status " + status.getAsInt());
        }
        Optional<String> end = watch.end(server.work());
        if (end.isPresent()) {
            throw new IOException("the restarted server does not answer: " + end.get());
        }
    }

    private void printMemory(ServerProcess server) throws IOException {
        server.anonymousKib()
                .ifPresent(kib ->
                        say(
                                "   It takes %.0f MB of memory of its own, before any model is loaded."
                                        .formatted(kib * 1024 / 1e6)));
    }

    private void goOn(ServerProcess server, Path data) throws InterruptedException, IOException {
        out.println();
        say("Go on:");
        say("  crabro query revert --group u12 --target " + server.container());
        say(
                "  crabro query 'select * from commit where true' -g u12 -n 2 --target "
                        + server.container());
        say(
                "  curl '%s/document/v1/activity/commit/group/u12/hello' -d '{\"fields\":{\"subject\":\"hello\"}}'"
                        .formatted(server.container()));
        say("  crabro serve --data DIR        a server of your own");
        if (keep) {
            say(
                    "The server goes on as process %d; stop it with: crabro stop --data %s"
                            .formatted(server.pid(), data));
        } else if (isTerminal()) {
            say("Press Enter to stop the server and remove its data (--keep leaves it running).");
            System.in.read();
        } else {
            say("The server stops now and its data are removed (--keep leaves it running).");
        }
    }

    private static void delete(Path directory) throws IOException {
        List<Path> paths;
        try (Stream<Path> walk = Files.walk(directory)) {
            paths = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : paths) {
            Files.delete(path);
        }
    }

    private static boolean isTerminal() {
        return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    }

    private void say(String line) {
        out.println(line);
    }
}
