package org.crabro.samples.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.crabro.samples.fixture.ServedPackage;
import org.crabro.samples.fixture.ServedPackage.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Updates and removals of all that a selection means. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SelectionRequestsIT {
    private static final int NOTES = 600;
    private static final String PATH = "/document/v1/ns/note/docid/";
    private static final String ALL = PATH + "?cluster=notes&selection=true";
    private static final String NINE = "{\"fields\":{\"year\":{\"assign\":9}}}";

    @TempDir static Path data;

    private ServedPackage served;

    @BeforeAll
    void start() throws Exception {
        served = new ServedPackage(data).deployed();
    }

    @AfterAll
    void stop() {
        served.close();
    }

    /** Notes of the years 0 to 5, in turn. */
    @BeforeEach
    void feed() throws Exception {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < NOTES; i++) {
            lines.add("{\"put\":\"id:ns:note::%d\",\"fields\":{\"year\":%d}}".formatted(i, i % 6));
        }
        served.feed(lines);
    }

    private long count(String selection) throws Exception {
        return served.everything(
                        PATH
                                + "?wantedDocumentCount=1000&fieldSet=%5Bid%5D&selection="
                                + encoded(selection))
                .size();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    /** Sends a request until it has come to the end; returns how many were changed. */
    private long carriedOut(String method, String target, String body) throws Exception {
        long changed = 0;
        String next = target;
        while (true) {
            Answer answer = served.send(method, next, body);
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            assertThat(answer.json().has("documents")).isFalse();
            changed += answer.json().get("documentCount").asLong();
            if (!answer.json().has("continuation")) {
                return changed;
            }
            next = target + "&continuation=" + answer.json().get("continuation").asString();
        }
    }

    @Test
    void removesAndUpdatesWhatIsSelected() throws Exception {
        String years = PATH + "?cluster=notes&selection=" + encoded("note.year == 3");
        Answer updated = served.put(years, NINE);
        Answer again = served.put(years, NINE);
        Answer removed = served.delete(years.replace("+3", "+9"));

        assertThat(updated.body())
                .isEqualTo("{\"pathId\":\"" + PATH + "\",\"documentCount\":" + NOTES / 6 + "}");
        assertThat(again.json().get("documentCount").asInt()).isZero();
        assertThat(removed.json().get("documentCount").asInt()).isEqualTo(NOTES / 6);
        assertThat(count("true")).isEqualTo(NOTES - NOTES / 6);
        assertThat(carriedOut("DELETE", ALL, "")).isEqualTo(NOTES - NOTES / 6);
        assertThat(count("true")).isZero();
    }

    @Test
    void goesOnByChunksOfTime() throws Exception {
        assertThat(carriedOut("PUT", ALL + "&timeChunk=2ms", NINE)).isEqualTo(NOTES);
        assertThat(count("note.year == 9")).isEqualTo(NOTES);
        Answer first = served.delete(ALL + "&timeChunk=0.001ms");
        assertThat(first.status()).as(first.toString()).isEqualTo(200);
        assertThat(first.json().has("continuation")).isTrue();
        assertThat(carriedOut("DELETE", ALL + "&timeChunk=2ms", ""))
                .isEqualTo(NOTES - first.json().get("documentCount").asLong());
    }

    @Test
    void isSharedOutAmongSlices() throws Exception {
        long removed = 0;
        for (int slice = 0; slice < 4; slice++) {
            removed += carriedOut("DELETE", ALL + "&slices=4&sliceId=" + slice, "");
        }
        assertThat(removed).isEqualTo(NOTES);
        assertThat(count("true")).isZero();
    }

    /** Each note is changed to the year 9 by one of four that all select what is not that yet. */
    @Test
    void neverOverwritesWhatAnotherChangedMeanwhile() throws Exception {
        String others = PATH + "?cluster=notes&selection=" + encoded("note.year < 9");
        String add = "{\"fields\":{\"year\":{\"increment\":10}}}";
        List<Callable<Long>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(() -> carriedOut("PUT", others, add));
        }
        long changed = 0;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Long> each : threads.invokeAll(all)) {
                changed += each.get();
            }
        }

        assertThat(changed).isEqualTo(NOTES);
        assertThat(count("note.year >= 10 and note.year < 16")).isEqualTo(NOTES);
    }

    @Test
    void copiesWhatIsSelectedAsItIsStored() throws Exception {
        served.feed(
                List.of(
                        "{\"update\":\"id:ns:note::3\",\"fields\":{\"tags\":{\"assign\":[\"a\",\"b\"]}}}"));
        Map<String, JsonNode> before = notes();
        String years = PATH + "?cluster=notes&selection=" + encoded("note.year == 3");

        long copied = carriedOut("POST", years + "&destinationCluster=notes", "");
        Map<String, JsonNode> after = notes();

        assertThat(copied).isEqualTo(NOTES / 6);
        assertThat(after).hasSameSizeAs(before);
        before.forEach((id, note) -> {
            JsonNode now = Objects.requireNonNull(after.get(id));
            assertThat(now.get("fields")).isEqualTo(note.get("fields"));
            long later = now.get("timestamp").asLong() - note.get("timestamp").asLong();
            if (note.get("fields").get("year").asInt() == 3) {
                assertThat(later).as(id).isPositive();
            } else {
                assertThat(later).as(id).isZero();
            }
        });
    }

    @Test
    void copiesByChunksOfTime() throws Exception {
        String copy = ALL + "&destinationCluster=notes&timeChunk=";
        Answer first = served.post(copy + "0.001ms", "");

        assertThat(first.status()).as(first.toString()).isEqualTo(200);
        assertThat(first.json().has("continuation")).isTrue();
        assertThat(carriedOut("POST", copy + "2ms", "")).isEqualTo(NOTES);
        assertThat(count("true")).isEqualTo(NOTES);
    }

    /** All notes by their ids. */
    private Map<String, JsonNode> notes() throws Exception {
        var notes = new HashMap<String, JsonNode>();
        JsonNode seen =
                served.get(PATH + "?cluster=notes&stream=true&timestamps=true&fieldSet=%5Ball%5D")
                        .json();
        seen.get("documents").forEach(note -> notes.put(note.get("id").asString(), note));
        assertThat(notes).hasSize(NOTES);
        return notes;
    }

    @Test
    void copiesToNoOtherClusterAndSaysWhy() throws Exception {
        String copy = ALL + "&destinationCluster=";
        for (String target : List.of(ALL, copy + "nowhere", copy + "places", PATH)) {
            Answer answer = served.post(target, "");
            assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
            assertThat(answer.json().propertyNames()).containsExactly("pathId", "message");
        }
        assertThat(served.post(ALL, "").message()).contains("'destinationCluster'");
        assertThat(served.post(copy + "nowhere", "").message())
                .isEqualTo(
                        "Your Vespa deployment has no content cluster 'nowhere', only 'notes', 'places'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "wantedDocumentCount=10",
                "concurrency=2",
                "fieldSet=note:year",
                "route=default",
                "dryRun=true"
            })
    void refusesParametersThatWouldMeanSomethingElse(String parameter) throws Exception {
        String name = parameter.substring(0, parameter.indexOf('='));
        for (String method : List.of("PUT", "DELETE")) {
            Answer answer = served.send(method, ALL + "&" + parameter, NINE);
            assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
            assertThat(answer.message()).contains("'" + name + "'", PATH);
        }
        assertThat(served.post(ALL + "&destinationCluster=places&" + parameter, "").status())
                .isEqualTo(400);
        assertThat(count("note.year < 9")).isEqualTo(NOTES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cluster=notes", "selection=true", ""})
    void asksForClusterAndSelection(String query) throws Exception {
        for (String method : List.of("PUT", "DELETE")) {
            Answer answer = served.send(method, PATH + "?" + query, NINE);
            assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
            assertThat(answer.message())
                    .contains("must specify '" + (query.startsWith("c") ? "selection" : "cluster"));
        }
        assertThat(count("true")).isEqualTo(NOTES);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "{\"fields\":{\"year\":1}}",
                "{\"fields\":{\"nothere\":{\"assign\":1}}}",
                "{\"condition\":\"true\",\"fields\":{\"year\":{\"assign\":9}}}"
            })
    void looksAtTheBodyBeforeItChangesAnything(String body) throws Exception {
        Answer answer = served.put(ALL, body);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(count("note.year < 9")).isEqualTo(NOTES);
    }
}
