package org.crabro.samples.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.zip.GZIPInputStream;
import org.crabro.client.feed.FeedClient;
import org.crabro.client.feed.FeedResult;
import org.crabro.ranking.onnx.Embedder;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Feeds commits of the sample to a server and compares the answers of its four queries with brute
 * force, before and after a restart.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommitsIT {
    private static final Path SAMPLE =
            Path.of(System.getProperty("crabro.root"), "samples", "commits");
    private static final String PERSON = "u12";
    private static final String OTHER_PERSON = "u66";

    /**
     * One in so many commits of everybody else is fed. The model takes nearly all the time of this
     * test, and these commits are only counted: queries must not find them.
     */
    private static final int OTHERS_STEP = 8;

    private static final long START_OF_2012 = 1_325_376_000L;
    private static final long START_OF_2013 = 1_356_998_400L;
    private static final double MAX_AGE = 630_720_000;
    private static final TensorType STORED = TensorType.parse("tensor<bfloat16>(x[384])");
    private static final TensorType ASKED = TensorType.parse("tensor<float>(x[384])");

    /** Scores are sums of a few floats' worth of rounding. */
    private static final double EXACT = 1e-6;

    @TempDir static Path data;

    private final Http http = new Http();
    private final Map<String, Commit> byId = new HashMap<>();
    private final Map<String, DenseTensor> embeddings = new HashMap<>();
    private List<Commit> all;
    private List<Commit> person;
    private JsonNode queries;
    private Embedder embedder;
    private CrabroServer server;

    @BeforeAll
    void deployAndFeed() throws Exception {
        List<String> lines = lines();
        all = Commit.read(lines);
        all.forEach(commit -> byId.put(commit.id(), commit));
        person = all.stream().filter(commit -> commit.group().equals(PERSON)).toList();
        queries = Http.JSON.readTree(Files.readString(SAMPLE.resolve("queries.json")));
        embedder = SampleModel.load(SAMPLE.resolve("target/application/models"));
        for (Commit commit : person) {
            embeddings.put(
                    commit.id(), embedder.embed(commit.text(), Embedder.Purpose.DOCUMENT, STORED));
        }
        server = CrabroServer.start(TestSettings.onAnyPorts(data));
        Http.Answer deployed =
                http.post(
                        server.config()
                                .resolve("/application/v2/tenant/default/prepareandactivate"),
                        "application/zip",
                        Http.zip(SAMPLE.resolve("target/application")));
        assertThat(deployed.status()).as(deployed.toString()).isEqualTo(200);
        try (InputStream feed = new ByteArrayInputStream(String.join("\n", lines).getBytes(UTF_8));
                var client = new FeedClient(server.container(), 16)) {
            FeedResult result = client.feed(feed, _ -> {});
            assertThat(result.problems()).isEmpty();
            assertThat(result.stored()).isEqualTo(all.size());
        }
    }

    /** Returns the lines of the feed that are fed: all of the two persons, some of all others. */
    private static List<String> lines() throws IOException {
        var lines = new ArrayList<String>();
        int others = 0;
        try (var reader =
                new BufferedReader(
                        new InputStreamReader(
                                new GZIPInputStream(
                                        Files.newInputStream(SAMPLE.resolve("feed.jsonl.gz"))),
                                UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (isOf(PERSON, line) || isOf(OTHER_PERSON, line) || others++ % OTHERS_STEP == 0) {
                    lines.add(line);
                }
            }
        }
        return lines;
    }

    private static boolean isOf(String group, String line) {
        return line.startsWith("{\"put\":\"id:activity:commit:g=%s:".formatted(group));
    }

    @AfterAll
    void stop() {
        server.close();
        embedder.close();
        http.close();
    }

    @Test
    void answersAsBruteForceDoesAlsoAfterARestart() throws Exception {
        checkAll();

        server.close();
        server = CrabroServer.start(TestSettings.onAnyPorts(data));

        checkAll();
        checkMetrics();
    }

    private void checkAll() throws Exception {
        assertThat(person).hasSizeGreaterThan(1_000);
        assertThat(all).hasSizeGreaterThan(person.size() + 500);
        checkWords();
        checkBodies();
        checkFieldsAndTime();
        checkMeaning();
        checkHybrid();
        checkEverybody();
        checkOneDocument();
    }

    private void checkWords() throws Exception {
        var subjects = new Words(person, Commit::subject);
        var bodies = new Words(person, Commit::body);
        List<String> words = List.of("release", "build");

        JsonNode root = ask(0);

        var expected =
                expect(
                        commit ->
                                words.stream()
                                        .anyMatch(word ->
                                                subjects.has(commit, word)
                                                        || bodies.has(commit, word)),
                        commit ->
                                subjects.score(commit, words) + 0.5 * bodies.score(commit, words));
        check(root, expected);
        for (JsonNode hit : root.get("children")) {
            Commit commit = commit(hit);
            JsonNode features = hit.get("fields").get("matchfeatures");
            assertThat(features.get("bm25(subject)").asDouble())
                    .isCloseTo(subjects.score(commit, words), within(EXACT));
            assertThat(features.get("bm25(body)").asDouble())
                    .isCloseTo(bodies.score(commit, words), within(EXACT));
        }
    }

    /** Somebody who writes more than subjects. */
    private void checkBodies() throws Exception {
        List<Commit> other =
                all.stream().filter(commit -> commit.group().equals(OTHER_PERSON)).toList();
        var bodies = new Words(other, Commit::body);
        List<String> words = List.of("lock", "not");
        JsonNode parameters =
                Http.JSON.readTree(
                        """
                        {"yql": "select * from commit where body contains 'lock' or body contains 'not'",
                         "streaming.groupname": "u66", "ranking": "words"}\
                        """);

        JsonNode root = search(parameters);

        List<Commit> expected =
                other.stream()
                        .filter(commit -> words.stream().anyMatch(word -> bodies.has(commit, word)))
                        .sorted(
                                Comparator.comparingDouble(
                                                (Commit commit) -> bodies.score(commit, words))
                                        .reversed()
                                        .thenComparing(Commit::id))
                        .toList();
        assertThat(root.get("fields").get("totalCount").asInt())
                .isGreaterThan(20)
                .isEqualTo(expected.size());
        assertThat(ids(root))
                .containsExactlyElementsOf(expected.stream().map(Commit::id).limit(10).toList());
        for (JsonNode hit : root.get("children")) {
            assertThat(hit.get("fields").get("matchfeatures").get("bm25(body)").asDouble())
                    .isCloseTo(bodies.score(commit(hit), words), within(EXACT));
        }
    }

    private void checkFieldsAndTime() throws Exception {
        JsonNode root = ask(1);

        List<Commit> expected =
                person.stream()
                        .filter(commit -> commit.timestamp() >= START_OF_2013)
                        .filter(commit ->
                                commit.files().stream()
                                        .anyMatch(file -> Words.split(file).contains("pom")))
                        .sorted(
                                Comparator.comparingLong(Commit::timestamp)
                                        .reversed()
                                        .thenComparing(Commit::id))
                        .toList();
        assertThat(root.get("fields").get("totalCount").asInt()).isEqualTo(expected.size());
        assertThat(ids(root))
                .containsExactlyElementsOf(expected.stream().map(Commit::id).limit(10).toList());
    }

    private void checkMeaning() throws Exception {
        DenseTensor query = query("client connection drops under load");

        JsonNode root = ask(2);

        List<Scored> nearest = expect(_ -> true, commit -> closeness(query, commit)).subList(0, 10);
        check(root, nearest);
        for (JsonNode hit : root.get("children")) {
            assertThat(
                            hit.get("fields")
                                    .get("matchfeatures")
                                    .get("distance(field,embedding)")
                                    .asDouble())
                    .isCloseTo(1 - cosine(query, commit(hit)), within(EXACT));
        }
    }

    private void checkHybrid() throws Exception {
        DenseTensor query = query("broken test build");
        var subjects = new Words(person, Commit::subject);
        var bodies = new Words(person, Commit::body);
        List<String> words = List.of("broken", "test", "build");
        List<String> nearest =
                expect(
                                commit -> commit.timestamp() >= START_OF_2012,
                                commit -> closeness(query, commit))
                        .stream()
                        .limit(50)
                        .map(scored -> scored.commit().id())
                        .toList();

        JsonNode root = ask(3);

        long now = System.currentTimeMillis() / 1000;
        ToDoubleFunction<Commit> wordScore =
                commit -> subjects.score(commit, words) + 0.5 * bodies.score(commit, words);
        var expected =
                expect(
                        commit ->
                                commit.timestamp() >= START_OF_2012
                                        && (nearest.contains(commit.id())
                                                || words.stream()
                                                        .anyMatch(word ->
                                                                subjects.has(commit, word)
                                                                        || bodies.has(
                                                                                commit, word))),
                        commit -> {
                            double score = wordScore.applyAsDouble(commit);
                            return score / (score + 5)
                                    + 2 * closeness(query, commit)
                                    + 0.1 * Math.max(1 - (now - commit.timestamp()) / MAX_AGE, 0);
                        });
        check(root, expected);
        for (JsonNode hit : root.get("children")) {
            Commit commit = commit(hit);
            JsonNode features = hit.get("fields").get("matchfeatures");
            assertThat(features.get("wordScore").asDouble())
                    .isCloseTo(wordScore.applyAsDouble(commit), within(EXACT));
            assertThat(features.get("closeness(field,embedding)").asDouble())
                    .isCloseTo(closeness(query, commit), within(EXACT));
            assertThat(features.get("attribute(timestamp)").asDouble())
                    .isEqualTo((double) commit.timestamp());
        }
    }

    /** Everything is there exactly once, whoever's it is. */
    private void checkEverybody() throws Exception {
        JsonNode parameters =
                Http.JSON.readTree(
                        """
                        {"yql": "select * from commit where true limit 0",
                         "streaming.selection": "true", "timeout": "60s"}\
                        """);

        JsonNode root = search(parameters);

        assertThat(root.get("fields").get("totalCount").asInt()).isEqualTo(all.size());
        assertThat(root.get("coverage").get("documents").asInt()).isEqualTo(all.size());
    }

    private void checkMetrics() throws Exception {
        JsonNode values =
                http.get(server.container().resolve("/state/v1/metrics"))
                        .body()
                        .get("metrics")
                        .get("values");

        var documents = new ArrayList<Integer>();
        for (JsonNode meter : values) {
            if (meter.get("name").asString().equals("content.proton.documentdb.documents.total")) {
                documents.add(meter.get("values").get("last").asInt());
            }
        }
        assertThat(documents).containsExactly(all.size());
    }

    private void checkOneDocument() throws Exception {
        Commit commit = person.getFirst();
        String user = commit.id().substring(commit.id().lastIndexOf(':') + 1);

        Http.Answer answer =
                http.get(
                        server.container()
                                .resolve(
                                        "/document/v1/activity/commit/group/"
                                                + PERSON
                                                + "/"
                                                + user));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().get("id").asString()).isEqualTo(commit.id());
        assertThat(answer.body().get("fields").get("subject").asString())
                .isEqualTo(commit.subject());
        assertThat(answer.body().get("fields").get("timestamp").asLong())
                .isEqualTo(commit.timestamp());
    }

    private record Scored(Commit commit, double score) {}

    /** Returns the person's commits that match, best first, ties by id. */
    private List<Scored> expect(Predicate<Commit> matches, ToDoubleFunction<Commit> score) {
        var scored = new ArrayList<Scored>();
        for (Commit commit : person) {
            if (matches.test(commit)) {
                scored.add(new Scored(commit, score.applyAsDouble(commit)));
            }
        }
        scored.sort(
                Comparator.comparingDouble(Scored::score)
                        .reversed()
                        .thenComparing(one -> one.commit().id()));
        return scored;
    }

    /** Counts and scores must be equal, and ids wherever scores are not nearly the same. */
    private void check(JsonNode root, List<Scored> expected) {
        assertThat(root.get("fields").get("totalCount").asInt()).isEqualTo(expected.size());
        assertThat(root.get("coverage").get("documents").asInt()).isEqualTo(person.size());
        List<String> ids = ids(root);
        assertThat(ids).hasSize(Math.min(10, expected.size())).doesNotHaveDuplicates();
        Map<String, Double> scores = new HashMap<>();
        expected.forEach(one -> scores.put(one.commit().id(), one.score()));
        for (int i = 0; i < ids.size(); i++) {
            double relevance = root.get("children").get(i).get("relevance").asDouble();
            assertThat(relevance)
                    .as("relevance of hit %d", i)
                    .isCloseTo(expected.get(i).score(), within(EXACT));
            assertThat(scores.get(ids.get(i)))
                    .as("score of %s", ids.get(i))
                    .isCloseTo(relevance, within(EXACT));
        }
    }

    private JsonNode ask(int index) throws IOException, InterruptedException {
        return search(queries.get(index).get("parameters"));
    }

    private JsonNode search(JsonNode parameters) throws IOException, InterruptedException {
        URI address = server.container().resolve("/search/?timeout=60s");
        Http.Answer answer = http.post(address, parameters);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body().get("root");
    }

    private static List<String> ids(JsonNode root) {
        var ids = new ArrayList<String>();
        root.path("children").forEach(hit -> ids.add(hit.get("id").asString()));
        return ids;
    }

    private Commit commit(JsonNode hit) {
        return Objects.requireNonNull(byId.get(hit.get("id").asString()));
    }

    private DenseTensor query(String text) {
        return embedder.embed(text, Embedder.Purpose.QUERY, ASKED);
    }

    private double closeness(DenseTensor query, Commit commit) {
        return 1 / (1 + (1 - cosine(query, commit)));
    }

    /**
     * The cosine as the field's metric has it: the query in the field's cell type, its length alone
     * divided out.
     */
    private double cosine(DenseTensor query, Commit commit) {
        DenseTensor stored = Objects.requireNonNull(embeddings.get(commit.id()));
        double product = 0;
        double square = 0;
        for (int i = 0; i < query.size(); i++) {
            double cell = STORED.cellType().narrow(query.cell(i));
            product += cell * stored.cell(i);
            square += cell * cell;
        }
        return product / square;
    }
}
