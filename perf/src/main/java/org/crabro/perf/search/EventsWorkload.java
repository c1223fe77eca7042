package org.crabro.perf.search;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.crabro.client.cli.ServerProcess;
import org.crabro.perf.data.BulkBody;
import org.crabro.perf.data.DeployedPackage;
import org.crabro.perf.data.OneCluster;
import org.crabro.perf.data.PlainHttp;
import org.crabro.perf.data.RepositoryEvents;
import org.crabro.perf.data.RepositoryEvents.Event;
import org.crabro.perf.data.SettledServer;
import org.crabro.perf.harness.ClosedLoop;
import org.crabro.perf.harness.Measured;
import org.crabro.perf.harness.ProcessUse;
import org.crabro.perf.harness.RunSize;
import org.crabro.perf.harness.ScoreSheet;
import org.crabro.perf.harness.Workload;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Five queries over events of code repositories in one group: the newest of an actor, counts by day
 * of all and of an actor, and the repositories with most events of a type and with a word.
 */
public final class EventsWorkload implements Workload {
    private static final int FED_BYTES = 32 << 20;
    private static final JsonMapper JSON = new JsonMapper();

    private static final String SCHEMA =
            """
            schema event {
              document event {
                field id type string { indexing: summary | attribute }
                field type type string { indexing: summary | attribute }
                field created_at type long { indexing: summary | attribute }
                field login type string { indexing: summary | attribute }
                field repo type string { indexing: summary | attribute }
                field description type string { indexing: summary | index }
                field comment_body type string { indexing: summary | index }
                field issue_body type string { indexing: summary | index }
                field json type string { indexing: summary }
              }
              document-summary minimal { summary id {} }
            }
            """;

    private static final String BY_ACTOR =
            "login contains \"%s\"".formatted(RepositoryEvents.ACTOR);
    private static final String BY_DAY =
            " limit 0 | all(group(time.date(created_at)) max(1000) each(output(count())))";
    private static final String BY_REPOSITORY =
            " limit 0 | all(group(repo) max(20) order(-count()) each(output(count())))";

    /** The names of the queries, and what follows {@code where}. */
    private static final Map<String, String> QUERIES = queries();

    private static Map<String, String> queries() {
        Map<String, String> queries = new LinkedHashMap<>();
        queries.put("Q1", BY_ACTOR + " order by created_at desc limit 10");
        queries.put("Q2", "true" + BY_DAY);
        queries.put("Q3", "type contains \"WatchEvent\"" + BY_REPOSITORY);
        queries.put("Q3b", BY_ACTOR + BY_DAY);
        queries.put(
                "Q4",
                "(description contains \"%1$s\" or comment_body contains \"%1$s\" or issue_body contains \"%1$s\")"
                                .formatted(RepositoryEvents.WORD)
                        + BY_REPOSITORY);
        return queries;
    }

    @Override
    public String name() {
        return "events";
    }

    @Override
    public void measure(Path folder, RunSize size, ScoreSheet results) throws Exception {
        int count = size.of(30_000, 1_000_000);
        Path data = Files.createDirectory(folder.resolve("data"));
        Path shared = Files.createDirectory(folder.resolve("shared"));
        List<String> arguments =
                List.of("--data", data.toString(), "--port", "0", "--config-port", "0");
        try (ServerProcess server = ServerProcess.start(arguments)) {
            Expected expected = feed(server, data, shared, count, results);
            Files.write(shared.resolve("queries.tsv"), expected.lines(count));
            for (Map.Entry<String, String> query : QUERIES.entrySet()) {
                measure(query.getKey(), query.getValue(), expected, server, size, count, results);
            }
        }
        results.measurePeers("events", shared, size);
    }

    private static Expected feed(
            ServerProcess server, Path data, Path shared, int count, ScoreSheet results)
            throws Exception {
        var events = new RepositoryEvents(count);
        var expected = new Expected();
        double seconds = 0;
        try (var http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
                OutputStream file =
                        new BufferedOutputStream(
                                Files.newOutputStream(shared.resolve("events.jsonl")))) {
            DeployedPackage.deploy(
                    Map.of(
                            "services.xml",
                            OneCluster.services("events", "event"),
                            "schemas/event.sd",
                            SCHEMA),
                    http,
                    server);
            ProcessUse use = ProcessUse.of(List.of(server.pid()));
            var body = new ByteArrayOutputStream();
            for (int i = 0; i < count; i++) {
                Event event = events.event(i);
                expected.add(event);
                byte[] line = RepositoryEvents.put(event);
                file.write(line);
                body.write(line);
                if (body.size() > FED_BYTES || i == count - 1) {
                    long begin = System.nanoTime();
                    BulkBody.feed(http, server.container(), body.toByteArray());
                    seconds += (System.nanoTime() - begin) / 1e9;
                    body.reset();
                }
            }
            SettledServer.settle(server.config());
            results.add(
                    new Measured(
                            "feeding events, requests of 32 MiB",
                            Measured.CRABRO,
                            new Measured.Rate(count / seconds, "documents/s"),
                            Optional.empty(),
                            use.cost(count, List.of(data), count),
                            Optional.empty()));
        }
        return expected;
    }

    private static String task(String query, int count) {
        return "events, %s of %,d".formatted(query, count);
    }

    private static void measure(
            String name,
            String where,
            Expected expected,
            ServerProcess server,
            RunSize size,
            int count,
            ScoreSheet results)
            throws Exception {
        URI address =
                server.container()
                        .resolve(
                                "/search/?streaming.groupname=all&timeout=20s&presentation.summary=minimal&ranking=unranked&yql="
                                        + URLEncoder.encode(
                                                "select * from event where " + where, UTF_8));
        String actual = result(name, PlainHttp.get(address));
        if (!actual.equals(expected.of(name))) {
            results.miss(
                    Measured.CRABRO,
                    task(name, count),
                    "the result is %s instead of %s".formatted(actual, expected.of(name)));
            return;
        }
        ClosedLoop.Operation ask =
                (_, _) -> {
                    String _ = PlainHttp.get(address);
                };
        ClosedLoop.run(1, size.warmUpSeconds(), ask);
        ProcessUse use = ProcessUse.of(List.of(server.pid()));
        ClosedLoop.Result result = ClosedLoop.run(1, size.seconds(), ask);
        results.add(
                result.measured(
                        task(name, count),
                        result.rate("queries/s"),
                        use.cost(result.count(), List.of(), 0),
                        Optional.empty()));
    }

    /** Returns ids, or counts, as {@link Expected} has them. */
    private static String result(String name, String answer) {
        JsonNode children = JSON.readTree(answer).path("root").path("children");
        var values = new ArrayList<String>();
        if (name.equals("Q1")) {
            children.forEach(hit -> values.add(hit.path("fields").path("id").asString()));
            return String.join(" ", values);
        }
        for (JsonNode group : children.path(0).path("children").path(0).path("children")) {
            values.add(group.path("fields").path("count()").asString());
        }
        return sorted(values);
    }

    private static String sorted(List<String> counts) {
        return counts.stream()
                .map(Long::parseLong)
                .sorted(Comparator.reverseOrder())
                .map(String::valueOf)
                .reduce((left, right) -> left + " " + right)
                .orElse("");
    }

    /**
     * What the queries find: the ids of the newest events, and the counts of groups, the largest
     * first. Names of groups are left out, because groups of equal counts are in no order.
     */
    private static final class Expected {
        private final List<String> ids = new ArrayList<>();
        private final Map<String, Map<String, Integer>> counts = new TreeMap<>();

        void add(Event event) {
            boolean isActor = event.origin().login().equals(RepositoryEvents.ACTOR);
            if (isActor) {
                ids.add(event.origin().id());
                count("Q3b", event.origin().day());
            }
            count("Q2", event.origin().day());
            if (event.origin().type().equals("WatchEvent")) {
                count("Q3", event.origin().repository());
            }
            if (event.texts().has(RepositoryEvents.WORD)) {
                count("Q4", event.origin().repository());
            }
        }

        private void count(String query, String group) {
            counts.computeIfAbsent(query, _ -> new TreeMap<>()).merge(group, 1, Integer::sum);
        }

        String of(String query) {
            if (query.equals("Q1")) {
                return String.join(
                        " ", ids.subList(Math.max(0, ids.size() - 10), ids.size()).reversed());
            }
            long max = query.equals("Q3") || query.equals("Q4") ? 20 : 1_000;
            return sorted(
                    counts.getOrDefault(query, Map.of()).values().stream()
                            .sorted(Comparator.reverseOrder())
                            .limit(max)
                            .map(String::valueOf)
                            .toList());
        }

        /** Returns a line for each query: task, name, result. */
        List<String> lines(int count) {
            return QUERIES.keySet().stream()
                    .map(name -> String.join("\t", task(name, count), name, of(name)))
                    .toList();
        }
    }
}
