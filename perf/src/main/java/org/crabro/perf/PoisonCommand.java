package org.crabro.perf;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.crabro.client.cli.ServerProcess;

/**
 * Whether queries that are made to cost much end when their time is up, in a server of its own
 * whose documents have long values: one at a time, eight at once beside a usual one, and when the
 * server is asked to stop.
 */
final class PoisonCommand implements Command {
    private static final int DOCUMENTS = 20;
    private static final int LENGTH = 200_000;
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    /** How long after its deadline a query may end. */
    private static final Duration LATE = Duration.ofMillis(500);

    private static final int AT_ONCE = 8;

    /** How long a server may take to stop: it waits for requests for 10 s. */
    private static final Duration STOP = Duration.ofSeconds(12);

    private static final int OK = 200;
    private static final int GATEWAY_TIMEOUT = 504;

    private static final Map<String, String> PACKAGE =
            Map.of(
                    "services.xml",
                    OneCluster.services("poison", "note"),
                    "schemas/note.sd",
                    """
                    schema note {
                      document note {
                        field text type string {
                          indexing: index | summary
                          summary: dynamic
                        }
                        field whole type string {
                          indexing: attribute | summary
                          match: word
                        }
                        field several type array<string> {
                          indexing: attribute | summary
                          match: word
                        }
                        field numbers type array<int> { indexing: attribute | summary }
                      }
                      rank-profile fields {
                        first-phase { expression: fieldMatch(text) }
                      }
                    }
                    """);

    @Override
    public String name() {
        return "poison";
    }

    @Override
    public String summary() {
        return "whether queries that cost much end with their time, and let the server stop";
    }

    @Override
    public int run(List<String> options, PrintStream out) throws Exception {
        if (!options.isEmpty()) {
            out.println("'poison' takes no options.");
            return 2;
        }
        Path folder = Files.createTempDirectory("crabro-poison");
        try {
            Machine.describe(folder).forEach(out::println);
            return run(Files.createDirectory(folder.resolve("data")), out) ? 0 : 1;
        } finally {
            delete(folder);
        }
    }

    private static boolean run(Path data, PrintStream out) throws Exception {
        List<String> arguments =
                List.of("--data", data.toString(), "--port", "0", "--config-port", "0");
        boolean holds = true;
        try (ServerProcess server = ServerProcess.start(arguments);
                var http = HttpClient.newHttpClient()) {
            DeployedPackage.deploy(PACKAGE, http, server);
            feed(http, server);
            // The first query of a kind compiles what the others use.
            ask(http, server, usual(), TIMEOUT).join();
            out.printf("%n%-36s %10s%n", "each for " + TIMEOUT.toMillis() + " ms", "ends after");
            for (Map.Entry<String, String> poison : poisons().entrySet()) {
                Answer answer = ask(http, server, poison.getValue(), TIMEOUT).join();
                holds &= tell(poison.getKey(), answer, out);
            }
            for (Map.Entry<String, String> poison : poisons().entrySet()) {
                holds &= together(http, server, poison, out);
            }
            holds &= stops(http, server, out);
        }
        out.println(holds ? "all ended in time" : "NOT all ended in time");
        return holds;
    }

    /** Asks one kind of query eight times at once, and a usual one with them. */
    private static boolean together(
            HttpClient http,
            ServerProcess server,
            Map.Entry<String, String> poison,
            PrintStream out)
            throws Exception {
        var asked = new ArrayList<CompletableFuture<Answer>>();
        for (int i = 0; i < AT_ONCE; i++) {
            asked.add(ask(http, server, poison.getValue(), TIMEOUT));
        }
        CompletableFuture<Answer> usual = ask(http, server, usual(), Duration.ofSeconds(10));
        Answer slowest = new Answer(OK, Duration.ZERO);
        for (CompletableFuture<Answer> each : asked) {
            Answer answer = each.join();
            slowest = answer.taken().compareTo(slowest.taken()) > 0 ? answer : slowest;
        }
        boolean holds = tell(AT_ONCE + " times " + poison.getKey(), slowest, out);
        return tell("  and a usual query with them", usual.join(), out) && holds;
    }

    private static boolean stops(HttpClient http, ServerProcess server, PrintStream out)
            throws Exception {
        var asked = new ArrayList<CompletableFuture<Answer>>();
        for (int i = 0; i < AT_ONCE; i++) {
            asked.add(ask(http, server, expression(), Duration.ofMinutes(5)));
        }
        // Until they scan.
        TimeUnit.SECONDS.sleep(1);
        long start = System.nanoTime();
        ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();
        process.destroy();
        process.onExit().get(2, TimeUnit.MINUTES);
        Duration taken = Duration.ofNanos(System.nanoTime() - start);
        boolean holds = taken.compareTo(STOP) <= 0;
        out.printf(
                "%-36s %,7d ms%s%n",
                "SIGTERM amid " + AT_ONCE + " of 5 minutes",
                taken.toMillis(),
                holds ? "" : "  TOO LATE");
        asked.forEach(each -> each.cancel(true));
        return holds;
    }

    private static boolean tell(String name, Answer answer, PrintStream out) {
        boolean isInTime = answer.taken().compareTo(TIMEOUT.plus(LATE)) <= 0;
        boolean isAnswered = answer.status() == OK || answer.status() == GATEWAY_TIMEOUT;
        out.printf(
                "%-36s %,7d ms, status %d%s%n",
                name,
                answer.taken().toMillis(),
                answer.status(),
                !isAnswered ? "  NO ANSWER" : isInTime ? "" : "  TOO LATE");
        return isInTime && isAnswered;
    }

    private record Answer(int status, Duration taken) {}

    private static CompletableFuture<Answer> ask(
            HttpClient http, ServerProcess server, String query, Duration timeout) {
        URI address =
                server.container()
                        .resolve(
                                "/search/?streaming.groupname=anna&timeout=%dms&yql=%s"
                                        .formatted(
                                                timeout.toMillis(),
                                                URLEncoder.encode(query, UTF_8)
                                                        .replace("%26ranking%3D", "&ranking=")));
        long start = System.nanoTime();
        return http.sendAsync(
                        HttpRequest.newBuilder(address).build(),
                        HttpResponse.BodyHandlers.discarding())
                .thenApply(answer ->
                        new Answer(
                                answer.statusCode(), Duration.ofNanos(System.nanoTime() - start)));
    }

    private static String usual() {
        return "select documentid from note where numbers = 7";
    }

    private static String expression() {
        return "select documentid from note where whole matches '(a?){900}z'";
    }

    /** Queries by what costs much in them. */
    private static Map<String, String> poisons() {
        String select = "select documentid from note where ";
        var poisons = new LinkedHashMap<String, String>();
        poisons.put("regular expression", expression());
        poisons.put(
                "regular expression of words",
                select + "text contains ({token:true}regex('(w?){900}z'))");
        poisons.put(
                "fuzzy",
                select
                        + "several contains ({maxEditDistance:990}fuzzy('%s'))"
                                .formatted("b".repeat(1_000)));
        poisons.put(
                "part of a value",
                select + "whole contains ({substring:true}'%sb')".formatted("a".repeat(2_000)));
        poisons.put(
                "near",
                select
                        + "text contains ({distance:1}near(%s, 'none'))"
                                .formatted(String.join(",", Collections.nCopies(200, "'word'"))));
        poisons.put(
                "near with exclusions",
                select
                        + "text contains ({distance:0}near(%s, %s))"
                                .formatted(
                                        String.join(",", Collections.nCopies(50, "'word'")),
                                        String.join(",", Collections.nCopies(100, "!'word'"))));
        poisons.put(
                "fieldMatch",
                select
                        + "text contains 'word' and %s&ranking=fields"
                                .formatted(
                                        String.join(
                                                " and ",
                                                Collections.nCopies(20, "text contains 'word'"))));
        poisons.put("snippets", "select * from note where text contains 'word'");
        poisons.put(
                "groups of groups",
                select
                        + "true | all(group(numbers) each(group(numbers + 1) each(group(numbers +"
                        + " 2) each(output(count())))))");
        poisons.put(
                "regular expression of groups",
                select
                        + "true | all(group(whole) filter(regex('(a?){900}z', whole))"
                        + " each(output(count())))");
        return poisons;
    }

    private static void feed(HttpClient http, ServerProcess server)
            throws IOException, InterruptedException {
        for (int i = 0; i < DOCUMENTS; i++) {
            var several = new ArrayList<String>();
            var numbers = new ArrayList<String>();
            for (int j = 0; j < 100; j++) {
                several.add("\"" + "a".repeat(LENGTH / 100) + i + j + "\"");
            }
            for (int j = 0; j < 1_000; j++) {
                numbers.add(String.valueOf(i + j));
            }
            String fields =
                    "{\"fields\":{\"text\":\"%s\",\"whole\":\"%s\",\"several\":[%s],\"numbers\":[%s]}}"
                            .formatted(
                                    "word ".repeat(LENGTH / 5),
                                    "a".repeat(LENGTH) + i,
                                    String.join(",", several),
                                    String.join(",", numbers));
            HttpResponse<String> answer =
                    http.send(
                            HttpRequest.newBuilder(
                                            server.container()
                                                    .resolve(
                                                            "/document/v1/perf/note/group/anna/"
                                                                    + i))
                                    .POST(HttpRequest.BodyPublishers.ofString(fields))
                                    .header("Content-Type", "application/json")
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != OK) {
                throw new IllegalStateException(answer.body());
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.toList().reversed()) {
                Files.delete(path);
            }
        }
    }
}
