package org.crabro.perf.check;

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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.crabro.client.cli.ServerProcess;
import org.crabro.perf.data.DeployedPackage;
import org.crabro.perf.data.OneCluster;
import org.crabro.perf.harness.Command;
import org.crabro.perf.harness.Machine;

/**
 * Checks that expensive requests end at their timeout, in a server of its own whose documents have
 * long values. Each request is first sent alone; its answer must end in time. Then it is sent eight
 * times at once together with a typical query; its answer must begin in time, because the rest of a
 * large answer waits for the clients, which share the processors. At last the server must stop on
 * request.
 */
public final class PoisonCommand implements Command {
    private static final int DOCUMENTS = 20;
    private static final int VECTORS = 20_000;
    private static final int LENGTH = 200_000;
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    /** How long after its deadline a query may end. */
    private static final Duration LATE = Duration.ofMillis(500);

    private static final int AT_ONCE = 8;

    /** How long a server may take to stop: it waits for requests for 10 s. */
    private static final Duration STOP = Duration.ofSeconds(12);

    private static final int OK = 200;
    private static final int GATEWAY_TIMEOUT = 504;
    private static final int CONDITION_NOT_MET = 412;

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
                        field weights type weightedset<int> { indexing: attribute }
                        field vectors type tensor<float>(p{},x[8]) {
                          indexing: attribute | summary
                        }
                      }
                      rank-profile fields {
                        first-phase { expression: fieldMatch(text) }
                      }
                      rank-profile again {
                        first-phase { expression: attribute(numbers).count }
                        second-phase {
                          rerank-count: 20
                          expression: fieldMatch(text)
                        }
                      }
                      rank-profile global {
                        first-phase { expression: attribute(numbers).count }
                        global-phase {
                          expression: sum(tensor(x[2000],y[2000])(x * y + firstPhase))
                        }
                      }
                      rank-profile maxsim {
                        first-phase {
                          expression: sum(reduce(sum(tensor<float>(q[50000],x[8])(q + x) * attribute(vectors), x), max, p))
                        }
                      }
                      rank-profile cells {
                        first-phase {
                          expression: sum(map(attribute(vectors), f(c)(sum(tensor(i[1000])(i * c)))))
                        }
                      }
                      rank-profile ordered {
                        first-phase {
                          expression: sum(cell_order(attribute(vectors), max) * attribute(vectors))
                        }
                      }
                      rank-profile constant {
                        inputs { query(n) double: 2 }
                        first-phase {
                          expression: sum(map(tensor(x[1000000])(x * query(n)), f(c)(sum(tensor(i[1000])(i * c)))))
                        }
                      }
                      rank-profile near {
                        inputs { query(v) tensor<float>(x[8]): [1,2,3,4,5,6,7,8] }
                        first-phase { expression: closeness(field, vectors) }
                      }
                    }
                    """);

    @Override
    public String name() {
        return "poison";
    }

    @Override
    public String summary() {
        return "whether requests that cost much end with their time, and let the server stop";
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
            // The first query of a kind compiles the code that the others use.
            ask(http, server, usual(), TIMEOUT).join();
            out.printf(
                    "%n%-46s %7s %7s%n",
                    "each for " + TIMEOUT.toMillis() + " ms", "begins", "ends");
            for (Poison poison : poisons()) {
                Answer answer = ask(http, server, poison, TIMEOUT).join();
                holds &= tell(poison.name(), answer, answer.taken(), out);
            }
            for (Poison poison : poisons()) {
                holds &= together(http, server, poison, out);
            }
            holds &= stops(http, server, out);
        }
        out.println(holds ? "all in time" : "NOT all in time");
        return holds;
    }

    /** Sends one kind of query eight times at once, together with a typical query. */
    private static boolean together(
            HttpClient http, ServerProcess server, Poison poison, PrintStream out)
            throws Exception {
        var asked = new ArrayList<CompletableFuture<Answer>>();
        for (int i = 0; i < AT_ONCE; i++) {
            asked.add(ask(http, server, poison, TIMEOUT));
        }
        CompletableFuture<Answer> usual = ask(http, server, usual(), Duration.ofSeconds(10));
        Answer slowest = new Answer(OK, Duration.ZERO, Duration.ZERO);
        for (CompletableFuture<Answer> each : asked) {
            Answer answer = each.join();
            slowest = answer.begins().compareTo(slowest.begins()) > 0 ? answer : slowest;
        }
        String name = AT_ONCE + " times " + poison.name();
        boolean holds = tell(name, slowest, slowest.begins(), out);
        Answer beside = usual.join();
        return tell("  and a usual query with them", beside, beside.taken(), out) && holds;
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
                "%-54s %,7d ms%s%n",
                "SIGTERM amid " + AT_ONCE + " of 5 minutes",
                taken.toMillis(),
                holds ? "" : "  TOO LATE");
        asked.forEach(each -> each.cancel(true));
        return holds;
    }

    private static boolean tell(String name, Answer answer, Duration limited, PrintStream out) {
        boolean isInTime = limited.compareTo(TIMEOUT.plus(LATE)) <= 0;
        boolean isAnswered =
                answer.status() == OK
                        || answer.status() == GATEWAY_TIMEOUT
                        || answer.status() == CONDITION_NOT_MET;
        out.printf(
                "%-46s %,7d %,7d ms, status %d%s%n",
                name,
                answer.begins().toMillis(),
                answer.taken().toMillis(),
                answer.status(),
                !isAnswered ? "  NO ANSWER" : isInTime ? "" : "  TOO LATE");
        return isInTime && isAnswered;
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    /**
     * An answer.
     *
     * @param begins until its headers came
     * @param taken until its last byte came
     */
    private record Answer(int status, Duration begins, Duration taken) {}

    /**
     * A request.
     *
     * @param path with a query part
     * @param body empty for none
     */
    private record Poison(String name, String method, String path, String body) {}

    private static CompletableFuture<Answer> ask(
            HttpClient http, ServerProcess server, Poison asked, Duration timeout) {
        URI address =
                server.container().resolve(asked.path() + "&timeout=" + timeout.toMillis() + "ms");
        HttpRequest request =
                HttpRequest.newBuilder(address)
                        .method(
                                asked.method(),
                                asked.body().isEmpty()
                                        ? HttpRequest.BodyPublishers.noBody()
                                        : HttpRequest.BodyPublishers.ofString(asked.body()))
                        .header("Content-Type", "application/json")
                        .build();
        long start = System.nanoTime();
        var begins = new AtomicReference<>(Duration.ZERO);
        return http.sendAsync(
                        request,
                        _ -> {
                            begins.set(since(start));
                            return HttpResponse.BodySubscribers.discarding();
                        })
                .thenApply(answer -> new Answer(answer.statusCode(), begins.get(), since(start)));
    }

    private static Poison search(String name, String where, String... parameters) {
        return query(name, "select documentid from note where " + where, parameters);
    }

    /**
     * @param parameters names and values in turns
     */
    private static Poison query(String name, String yql, String... parameters) {
        var body = new StringBuilder("{\"streaming.groupname\":\"anna\"");
        var all = new ArrayList<>(List.of("yql", yql));
        all.addAll(List.of(parameters));
        for (int i = 0; i < all.size(); i += 2) {
            body.append(",\"%s\":\"%s\"".formatted(all.get(i), escaped(all.get(i + 1))));
        }
        return new Poison(name, "POST", "/search/?", body.append('}').toString());
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }

    private static Poison usual() {
        return search("usual", "numbers = 7");
    }

    private static Poison expression() {
        return search("regular expression", "whole matches '(a?){900}z'");
    }

    private static String times(int count, String separator, IntFunction<String> part) {
        return IntStream.range(0, count).mapToObj(part).collect(Collectors.joining(separator));
    }

    private static Poison visit(String method, String name) {
        return new Poison(
                name,
                method,
                "/document/v1/perf/note/group/anna/?cluster=poison&selection="
                        + URLEncoder.encode("note.whole =~ \"(a?){900}z\"", UTF_8),
                "");
    }

    private static List<Poison> poisons() {
        String collated = "[{'function':'uca','locale':'en','strength':'TERTIARY'}]whole";
        return List.of(
                expression(),
                search(
                        "regular expression of words",
                        "text contains ({token:true}regex('(w?){900}z'))"),
                search(
                        "fuzzy",
                        "several contains ({maxEditDistance:990}fuzzy('%s'))"
                                .formatted("b".repeat(1_000))),
                search(
                        "part of a value",
                        "whole contains ({substring:true}'%sb')".formatted("a".repeat(2_000))),
                search(
                        "near",
                        "text contains ({distance:1}near(%s, 'none'))"
                                .formatted(times(200, ",", _ -> "'word'"))),
                search(
                        "near with exclusions",
                        "text contains ({distance:0}near(%s, %s))"
                                .formatted(
                                        times(50, ",", _ -> "'word'"),
                                        times(100, ",", _ -> "!'word'"))),
                search(
                        "fieldMatch",
                        times(21, " and ", _ -> "text contains 'word'"),
                        "ranking",
                        "fields"),
                search(
                        "fieldMatch in the second phase",
                        times(21, " and ", _ -> "text contains 'word'"),
                        "ranking",
                        "again"),
                search("tensors in the global phase", "true", "ranking", "global"),
                search("MaxSim", "true", "ranking", "maxsim"),
                search("cells of a tensor", "true", "ranking", "cells"),
                search("order of cells", "true", "ranking", "ordered"),
                search("tensor of the query", "true", "ranking", "constant", "input.query(n)", "3"),
                search(
                        "nearestNeighbor",
                        "{targetHits:10}nearestNeighbor(vectors, v)",
                        "ranking",
                        "near"),
                search("sorting by long texts", "true order by whole, text, several"),
                search("collation of long texts", "true order by " + collated.replace('\'', '"')),
                search("sorting by 50 keys", "true order by " + times(50, ",", _ -> "numbers")),
                search(
                        "in of 9,000 numbers",
                        "numbers in (%s)".formatted(times(9_000, ",", i -> "" + -i))),
                search(
                        "weightedSet of 9,000 numbers",
                        "weightedSet(weights, {%s})"
                                .formatted(times(9_000, ",", i -> "'" + -i + "':1"))),
                search(
                        "dotProduct of 9,000 numbers",
                        "dotProduct(weights, {%s})"
                                .formatted(times(9_000, ",", i -> "'" + -i + "':1"))),
                search(
                        "or of 9,000 words",
                        times(9_000, " or ", i -> "text contains 'w" + i + "'")),
                query("snippets", "select * from note where text contains 'word'"),
                query("whole documents", "select * from note where true", "hits", "400"),
                search(
                        "groups of groups",
                        "true | all(group(numbers) each(group(numbers + 1) each(group(numbers +"
                                + " 2) each(output(count())))))"),
                search(
                        "groups by long texts",
                        "true | all(group(cat(whole, text)) order(max(uca(whole, 'en')))"
                                + " each(output(count())))"),
                search(
                        "regular expression of groups",
                        "true | all(group(whole) filter(regex('(a?){900}z', whole))"
                                + " each(output(count())))"),
                visit("GET", "visit by a regular expression"),
                visit("DELETE", "removal by a regular expression"),
                new Poison(
                        "condition of a write",
                        "PUT",
                        "/document/v1/perf/note/group/anna/1?condition="
                                + URLEncoder.encode(
                                        times(
                                                20,
                                                " or ",
                                                i -> "note.whole =~ \"(a?){900}z%d\"".formatted(i)),
                                        UTF_8),
                        "{\"fields\":{\"numbers\":{\"add\":[1]}}}"));
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
            String vector = "[1,2,3,4,5,6,7," + i + "]";
            String fields =
                    """
                    {"fields":{"text":"%s","whole":"%s","several":[%s],"numbers":[%s],
                     "weights":{%s},"vectors":{"blocks":{%s}}}}
                    """
                            .formatted(
                                    "word ".repeat(LENGTH / 5),
                                    "a".repeat(LENGTH) + i,
                                    String.join(",", several),
                                    String.join(",", numbers),
                                    times(1_000, ",", j -> "\"%d\":1".formatted(j)),
                                    times(VECTORS, ",", j -> "\"p%d\":%s".formatted(j, vector)));
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
