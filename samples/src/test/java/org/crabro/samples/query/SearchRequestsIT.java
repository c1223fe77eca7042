package org.crabro.samples.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.crabro.samples.fixture.ServedPackage;
import org.crabro.samples.fixture.ServedPackage.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What requests of searches may say, how, and what exactly is answered. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SearchRequestsIT {
    private static final int NOTES = 20;

    @TempDir static Path data;

    private ServedPackage served;

    @BeforeAll
    void start() throws Exception {
        served = new ServedPackage(data).deployed();
        for (int i = 0; i < NOTES; i++) {
            served.note(
                    "group/anna/" + i,
                    "\"text\":\"note %d of %s\",\"year\":%d,\"done\":%s,\"tags\":[\"t%d\"],\"votes\":{\"a\":%d},\"prices\":{\"x\":%d}"
                            .formatted(
                                    i,
                                    i % 2 == 0 ? "even" : "odd",
                                    2000 + i / 3,
                                    i % 2 == 0,
                                    i % 4,
                                    i,
                                    i));
        }
        served.note("group/bert/1", "\"text\":\"another\",\"year\":1");
        served.note("number/7/1", "\"text\":\"numbered\",\"year\":7");
    }

    @AfterAll
    void stop() {
        served.close();
    }

    private Answer search(String query) throws Exception {
        return served.get("/search/?timeout=60s&" + query);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static List<String> ids(Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        var ids = new ArrayList<String>();
        JsonNode children = answer.json().get("root").get("children");
        if (children != null) {
            children.forEach(hit -> ids.add(hit.get("id").asString()));
        }
        return ids;
    }

    /** Pages behind the last hit are all hits, in their order, whatever they are sorted by. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "select * from note where true",
                "select * from note where text contains 'even' or text contains 'odd'",
                "select * from note where true order by year desc",
                "select * from note where true order by done, year desc",
                "select * from note where true order by tags, text desc"
            })
    void goesOnBehindTheLastHit(String yql) throws Exception {
        String query = "streaming.groupname=anna&yql=" + encoded(yql);
        List<String> all = ids(search(query + "&hits=100"));
        assertThat(all).hasSize(NOTES);

        var paged = new ArrayList<String>();
        String after = "";
        for (int page = 0; page < NOTES; page++) {
            Answer answer = search(query + "&hits=6&after=" + after);
            paged.addAll(ids(answer));
            JsonNode fields = answer.json().get("root").get("fields");
            assertThat(fields.get("totalCount").asInt()).isEqualTo(NOTES);
            if (!fields.has("after")) {
                break;
            }
            after = fields.get("after").asString();
        }

        assertThat(paged).isEqualTo(all);
        assertThat(search(query).json().get("root").get("fields").has("after")).isFalse();
    }

    @Test
    void refusesCursorsThatAreNone() throws Exception {
        String sorted = "streaming.groupname=anna&hits=2&yql=";
        String byYear = encoded("select * from note where true order by year");
        String after =
                search(sorted + byYear + "&after=")
                        .json()
                        .get("root")
                        .get("fields")
                        .get("after")
                        .asString();
        String other = encoded("select * from note where true order by done");
        String changed = after.substring(0, 12) + (after.charAt(12) == 'A' ? 'B' : 'A');
        for (String wrong :
                List.of(
                        sorted + other + "&after=" + after,
                        sorted + byYear + "&after=" + changed + after.substring(13),
                        sorted + byYear + "&after=" + after.substring(0, 20),
                        sorted + byYear + "&after=x",
                        sorted + byYear + "&after=%21",
                        sorted + byYear + "&collapsefield=year&after=" + after,
                        sorted + byYear + "&offset=1&after=" + after)) {
            Answer answer = search(wrong);
            assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
            JsonNode error = answer.json().get("root").get("errors").get(0);
            assertThat(error.get("code").asInt()).isEqualTo(3);
            assertThat(error.get("message").asString()).contains("'after'");
        }
    }

    /** What was asked, what was looked for, in which order, and what became of it and when. */
    @Test
    void explainsWhatItDid() throws Exception {
        String query =
                "streaming.groupname=anna&trace.level=4&yql="
                        + encoded(
                                "select * from note where year >= 2003 and (text contains 'even' or done = false)");
        var lines = new ArrayList<String>();
        search(query)
                .json()
                .get("trace")
                .get("children")
                .forEach(line -> lines.add(line.get("message").asString()));

        assertThat(lines.subList(0, 5))
                .containsExactly(
                        "No query profile is used",
                        "Query as written: select * from note where year >= 2003 and (text contains 'even' or done = false)",
                        "Query as parsed: (and (range year [2003;]) (or text:even (equals done false)))",
                        "Query as searched: (and (range year [2003;]) (or text:even (equals done false)))",
                        "notes.note:");
        assertThat(lines)
                .anySatisfy(line -> assertThat(line).contains("matching and scoring took"))
                .anySatisfy(line -> assertThat(line).matches(" +slice 0, 20 rows: [0-9.]+ ms"))
                .anySatisfy(line -> assertThat(line).contains("looked at 20 of 20 documents"))
                .anySatisfy(line -> assertThat(line).contains("bytes came from the device"));
        int conditions = 0;
        while (!lines.get(conditions)
                .endsWith("conditions, in the order in which they were tried:")) {
            conditions++;
        }
        List<String> tried =
                lines.subList(conditions + 1, conditions + 6).stream()
                        .map(line -> line.replaceAll("[0-9.]+ ms", "T"))
                        .toList();
        assertThat(tried)
                .containsExactly(
                        "      and: 11 of 20 rows, 20 expected, T",
                        "        number year from 2003 (cost 1 a row): 11 of 20 rows, 11 expected, T",
                        "        or: 11 of 11 rows, 11 expected, T",
                        "          number done = 0 (cost 1 a row): 6 of 11 rows, 6 expected, T",
                        "          text text:even (cost 50 a row): 5 of 5 rows, 3 expected, T");
    }
}
