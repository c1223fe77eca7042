package org.crabro.perf.search;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.crabro.client.cli.ServerProcess;
import org.crabro.content.search.execution.Search;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.perf.check.StalledCommand;
import org.crabro.perf.data.BulkBody;
import org.crabro.perf.data.DeployedPackage;
import org.crabro.perf.data.OneCluster;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.Scale;

/**
 * A million documents without a group, searched all at once, against the same ones in one group:
 * over HTTP, one query after another. And a million events grouped in process on two threads,
 * against one.
 */
public final class ScopesBenchmark implements Benchmark {
    private static final int DOCUMENTS = Scale.of(1_000_000);
    private static final int PER_BODY = 200_000;
    private static final int WARM_UP_QUERIES = 120;
    private static final int QUERIES = 15;
    private static final long SEED = 2026;
    private static final String ALL = "streaming.selection=true";
    private static final String GROUP = "streaming.groupname=all";

    private static final Map<String, String> PACKAGE =
            Map.of(
                    "services.xml",
                    OneCluster.services("scopes", "loose", "grouped"),
                    "schemas/loose.sd",
                    schema("loose"),
                    "schemas/grouped.sd",
                    schema("grouped"));

    private static String schema(String name) {
        return """
        schema %s {
          document %s {
            field title type string { indexing: index | summary }
            field year type int { indexing: attribute | summary }
            field size type long { indexing: attribute | summary }
          }
          rank-profile words { first-phase { expression: bm25(title) } }
          rank-profile largest { first-phase { expression: attribute(size) } }
        }
        """
                .formatted(name, name);
    }

    /** The queries by their names. */
    private static final Map<String, String> QUESTIONS = questions();

    private static Map<String, String> questions() {
        var questions = new LinkedHashMap<String, String>();
        questions.put("numbers, best of many", "year > 2005&ranking=largest");
        questions.put(
                "numbers, counted by year",
                "year > 2005 | all(group(year) each(output(count())))&hits=0");
        questions.put("words, best by bm25", "title contains \"red\"&ranking=words");
        return questions;
    }

    @Override
    public String name() {
        return "scopes";
    }

    @Override
    public String summary() {
        return "%,d plain documents against the same in one group; two threads against one"
                .formatted(DOCUMENTS);
    }

    @Override
    public Prepared prepare(Path folder) throws Exception {
        Path data = Files.createDirectory(folder.resolve("data"));
        HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        ServerProcess server = start(data);
        DeployedPackage.deploy(PACKAGE, http, server);
        for (String type : List.of("loose:", "grouped:g=all")) {
            var random = new Random(SEED);
            for (int first = 0; first < DOCUMENTS; first += PER_BODY) {
                int end = Math.min(DOCUMENTS, first + PER_BODY);
                BulkBody.feed(http, server.container(), lines(type, first, end, random));
            }
        }
        // So that queries read runs and no recent documents.
        StalledCommand.flush(http, server, folder.resolve("backup"));
        var measured =
                new Measured(
                        server,
                        http,
                        Executors.newFixedThreadPool(2),
                        new EventSearch(Scale.of(1_000_000), SEED));
        measured.warmUp();
        return measured;
    }

    private static ServerProcess start(Path data) throws IOException {
        return ServerProcess.start(
                List.of("--data", data.toString(), "--port", "0", "--config-port", "0"));
    }

    private static byte[] lines(String type, int first, int end, Random random) {
        String[] colors = {"red", "green", "blue", "grey", "black", "white", "brown", "pink"};
        var lines = new ByteArrayOutputStream();
        for (int i = first; i < end; i++) {
            String title =
                    "a %s house in %s street number %d"
                            .formatted(
                                    colors[random.nextInt(colors.length)],
                                    colors[random.nextInt(colors.length)],
                                    random.nextInt(1_000));
            lines.writeBytes(
                    "{\"put\":\"id:perf:%s:%d\",\"fields\":{\"title\":\"%s\",\"year\":%d,\"size\":%d}}\n"
                            .formatted(
                                    type,
                                    i,
                                    title,
                                    1990 + random.nextInt(35),
                                    random.nextInt(1_000_000))
                            .getBytes(UTF_8));
        }
        return lines.toByteArray();
    }

    private record Measured(
            ServerProcess server, HttpClient http, ExecutorService threads, EventSearch events)
            implements Prepared {
        void warmUp() throws Exception {
            for (String question : QUESTIONS.values()) {
                if (!ask("loose", ALL, question).equals(ask("grouped", GROUP, question))) {
                    throw new IllegalStateException("different answers to " + question);
                }
                for (int i = 0; i < WARM_UP_QUERIES; i++) {
                    ask("loose", ALL, question);
                    ask("grouped", GROUP, question);
                }
            }
            measure(new Figures());
        }

        @Override
        public void measure(Figures figures) throws Exception {
            for (Map.Entry<String, String> question : QUESTIONS.entrySet()) {
                double[] loose = new double[QUERIES];
                double[] grouped = new double[QUERIES];
                for (int i = 0; i < QUERIES; i++) {
                    loose[i] = millis("loose", ALL, question.getValue());
                    grouped[i] = millis("grouped", GROUP, question.getValue());
                }
                double all = median(loose);
                double group = median(grouped);
                figures.add(question.getKey() + ": plain ids", "ms", all);
                figures.add(question.getKey() + ": one group", "ms", group);
                figures.add(question.getKey() + ": plain ids over one group", "", all / group);
            }
            Search one = search(1);
            Search two = search(2);
            double[] alone = new double[QUERIES];
            double[] together = new double[QUERIES];
            for (int i = 0; i < QUERIES; i++) {
                alone[i] = seconds(one);
                together[i] = seconds(two);
            }
            figures.add("grouping on one thread", "ms", 1e3 * median(alone));
            figures.add("one thread over two, in time", "", median(alone) / median(together));
        }

        private Search search(int count) {
            return new Search(threads, new ReadAhead(Runnable::run, 1), count, count);
        }

        private double seconds(Search on) {
            long begin = System.nanoTime();
            if (events.byRepository(on).groups().isEmpty()) {
                throw new IllegalStateException("nothing was grouped");
            }
            return (System.nanoTime() - begin) / 1e9;
        }

        private static double median(double[] values) {
            double[] sorted = values.clone();
            Arrays.sort(sorted);
            return sorted[sorted.length / 2];
        }

        private double millis(String type, String scope, String question) throws Exception {
            long begin = System.nanoTime();
            ask(type, scope, question);
            return (System.nanoTime() - begin) / 1e6;
        }

        /** Returns how many documents were found. */
        private String ask(String type, String scope, String question) throws Exception {
            int parameters = question.indexOf('&');
            String yql =
                    "select * from %s where %s".formatted(type, question.substring(0, parameters));
            URI address =
                    server.container()
                            .resolve(
                                    "/search/?timeout=20s&%s&yql=%s%s"
                                            .formatted(
                                                    scope,
                                                    URLEncoder.encode(yql, UTF_8),
                                                    question.substring(parameters)));
            HttpResponse<String> answer =
                    http.send(
                            HttpRequest.newBuilder(address).build(),
                            HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200 || answer.body().contains("\"errors\"")) {
                throw new IOException(answer.body());
            }
            return answer.body().replaceAll("(?s).*\"totalCount\":(\\d+).*", "$1");
        }

        @Override
        public void close() throws IOException {
            http.close();
            server.close();
            threads.close();
            events.close();
        }
    }
}
