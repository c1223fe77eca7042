package org.crabro.samples.query;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.crabro.samples.fixture.ServedPackage;
import org.crabro.samples.fixture.ServedPackage.Answer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Imported fields over HTTP: in queries, ranking, grouping, sorting and summaries. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ImportedFieldsIT {
    @TempDir static Path data;

    @AutoClose private ServedPackage served;

    @BeforeAll
    void fill() throws Exception {
        served = ServedPackage.of(data.resolve("data"), Advertisements.files("index"));
        served.write("/document/v1/ns/advertiser/docid/cool", "\"name\":\"Cool & Co\"");
        served.write("/document/v1/ns/advertiser/docid/warm", "\"name\":\"Warm\"");
        campaign(
                "a",
                """
                "advertiser_ref":"id:ns:advertiser::cool","title":"Blue Sky","budget":20,
                "ratio":0.5,"active":true,"tags":["big","new"],"weights":{"red":3,"blue":1},
                "amounts":[1,2,3],"place":{"lat":63.4,"lng":10.4},
                "people":[{"name":"Ann","born":1950},{"name":"Bo","born":1970}],
                "prices":{"x":5,"y":7},"vector":[1,0],"angle":[1,0],
                "parts":{"blocks":{"p":[1,0],"q":[0,5]}}\
                """);
        campaign(
                "b",
                """
                "advertiser_ref":"id:ns:advertiser::warm","title":"Green Grass","budget":10,
                "ratio":2.5,"active":false,"tags":["old"],"weights":{"blue":4},
                "amounts":[7],"place":{"lat":59.9,"lng":10.7},
                "people":[{"name":"Ann","born":1970}],
                "prices":{"x":9},"vector":[0,1],"angle":[0,1],"parts":{"blocks":{"p":[0,1]}}\
                """);
        campaign("none", "\"advertiser_ref\":\"id:ns:advertiser::gone\",\"title\":\"Bare\"");
        ad("1", "\"campaign_ref\":\"id:ns:campaign::a\",\"other_ref\":\"id:ns:campaign::b\"");
        ad("2", "\"campaign_ref\":\"id:ns:campaign::b\",\"other_ref\":\"id:ns:campaign::a\"");
        ad("3", "\"number\":3");
        ad("4", "\"campaign_ref\":\"id:ns:campaign::missing\"");
        ad("5", "\"campaign_ref\":\"id:ns:campaign::a\"");
        ad("6", "\"campaign_ref\":\"id:ns:campaign::none\"");
    }

    private void campaign(String id, String fields) throws Exception {
        served.write("/document/v1/ns/campaign/docid/" + id, fields);
    }

    private void ad(String id, String fields) throws Exception {
        served.write("/document/v1/ns/ad/docid/" + id, "\"text\":\"ad " + id + "\"," + fields);
    }

    private Answer search(String yql, String... parameters) throws Exception {
        var target =
                new StringBuilder("/search/?timeout=60s&hits=20&yql=")
                        .append(URLEncoder.encode(yql, UTF_8));
        for (String parameter : parameters) {
            String[] parts = parameter.split("=", 2);
            target.append('&')
                    .append(URLEncoder.encode(parts[0], UTF_8))
                    .append('=')
                    .append(URLEncoder.encode(parts[1], UTF_8));
        }
        Answer answer = served.get(target.toString());
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.json().get("root").path("errors").isMissingNode())
                .as(answer.toString())
                .isTrue();
        return answer;
    }

    private static List<JsonNode> hits(Answer answer) {
        var hits = new ArrayList<JsonNode>();
        answer.json().get("root").path("children").forEach(hits::add);
        return hits;
    }

    private static String ids(Answer answer) {
        var ids = new ArrayList<String>();
        for (JsonNode hit : hits(answer)) {
            String id = hit.get("id").asString();
            ids.add(id.substring(id.lastIndexOf(':') + 1));
        }
        return String.join(" ", ids);
    }

    private static String sorted(String ids) {
        var list = new ArrayList<>(List.of(ids.split(" ")));
        Collections.sort(list);
        return String.join(" ", list);
    }

    /** Conditions, and the documents that they find. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            emptyValue = "",
            textBlock =
                    """
                    budget = 20                                               | 1 5
                    budget > 5                                                | 1 2 5
                    budget < 15                                               | 2
                    range(budget, 10, 20)                                     | 1 2 5
                    budget in (10, 11)                                        | 2
                    !(budget > 15)                                            | 2 3 4 6
                    other_budget = 10                                         | 1
                    budget = 20 and other_budget = 10                         | 1
                    ratio >= 0.5                                              | 1 2 5
                    active = true                                             | 1 5
                    active = false                                            | 2
                    title contains "blue sky"                                 | 1 5
                    title contains "blue"                                     | ``
                    title contains ({prefix:true}"green g")                   | 2
                    title contains ({substring:true}"ass")                    | 2
                    title matches "^b"                                        | 1 5 6
                    title contains ({maxEditDistance:1}fuzzy("barf"))         | 6
                    title in ("Bare", "Green Grass")                          | 2 6
                    tags contains "big"                                       | 1 5
                    tags contains "old" or tags contains "new"                | 1 2 5
                    weights contains "red"                                    | 1 5
                    weightedSet(weights, {"red":1, "green":1})                | 1 5
                    dotProduct(weights, {"blue":2})                           | 1 2 5
                    wand(weights, {"blue":2})                                 | 1 2 5
                    amounts = 2                                               | 1 5
                    people.name contains "bo"                                 | 1 5
                    people contains sameElement(name contains "ann", born > 1960) | 2
                    prices contains sameElement(key contains "x", value > 6)  | 2
                    prices{"x"} = 5                                           | 1 5
                    geoLocation(place, 63.4, 10.4, "10 km")                   | 1 5
                    advertiser contains "cool & co"                           | 1 5
                    advertiser contains "warm" and budget = 10                | 2
                    all contains "warm"                                       | 2
                    all contains "ad"                                         | 1 2 3 4 5 6
                    text contains "ad" and budget > 0 and number = 3          | ``
                    rank(text contains "3", budget = 20)                      | 3
                    campaign_ref contains "id:ns:campaign::a"                 | 1 5
                    campaign_ref matches "id:ns:campaign::b"                  | 2
                    campaign_ref in ("id:ns:campaign::b", "id:ns:campaign::missing") | 2 4
                    campaign_ref contains "id:ns:campaign::A"                 | ``
                    !(campaign_ref contains "id:ns:campaign::a") and budget > 0 | 2
                    advertiser_id contains "id:ns:advertiser::warm"           | 2
                    """)
    void queriesFindDocumentsByImportedFields(String condition, String expected) throws Exception {
        String ids = ids(search("select * from ad where " + condition));

        assertThat(sorted(ids)).isEqualTo(expected);
    }

    @Test
    void simpleQueriesAndSelectJsonNameImportedFields() throws Exception {
        assertThat(sorted(ids(search("select * from ad where userQuery()", "query=budget:20"))))
                .isEqualTo("1 5");
        assertThat(
                        sorted(
                                ids(
                                        search(
                                                "select * from ad where userQuery()",
                                                "query=advertiser:warm"))))
                .isEqualTo("2");
        Answer answer =
                served.post(
                        "/search/",
                        """
                        {"timeout":"60s","model":{"restrict":"ad"},"select":{"where":{"contains":["tags","old"]}}}
                        """,
                        "Content-Type",
                        "application/json");
        assertThat(ids(answer)).isEqualTo("2");
    }

    /** Orders, and the documents in them. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    budget desc, text asc     | 1 5 2 3 4 6
                    budget asc, text asc      | 3 4 6 2 1 5
                    title asc, text desc      | 4 3 6 5 1 2
                    advertiser desc, text asc | 2 1 5 3 4 6
                    ratio desc, text asc      | 2 1 5 3 4 6
                    """)
    void hitsAreSortedByImportedFields(String order, String sorted) throws Exception {
        Answer answer = search("select * from ad where true order by " + order);

        assertThat(ids(answer)).isEqualTo(sorted);
    }

    @Test
    void hitsAfterAHitAreSortedByImportedFields() throws Exception {
        assertThat(
                        ids(
                                search(
                                        "select * from ad where true order by budget desc, text asc"
                                                + " limit 3 offset 1")))
                .isEqualTo("5 2");
    }

    @Test
    void summariesShowImportedFields() throws Exception {
        Answer answer =
                search("select * from ad where text contains \"1\"", "presentation.summary=short");

        JsonNode fields = hits(answer).getFirst().get("fields");
        assertThat(fields.toString())
                .contains("\"title\":\"Blue Sky\"")
                .contains("\"budget\":20")
                .contains("\"tags\":[\"big\",\"new\"]")
                .contains("{\"name\":\"Bo\",\"born\":1970}")
                .contains("\"prices\":{\"x\":5,\"y\":7}")
                .contains("\"advertiser\":\"Cool & Co\"")
                .contains("\"advertiser_id\":\"id:ns:advertiser::cool\"");
    }

    @Test
    void theDefaultSummaryShowsOnlyTheImportedFieldsThatItNames() throws Exception {
        JsonNode fields =
                hits(search("select * from ad where text contains \"1\"")).getFirst().get("fields");

        assertThat(fields.get("budget").asInt()).isEqualTo(20);
        assertThat(fields.get("campaign_ref").asString()).isEqualTo("id:ns:campaign::a");
        assertThat(fields.has("title")).isFalse();
    }

    @Test
    void anImportedFieldCanBeSelected() throws Exception {
        Answer answer = search("select title, number from ad where text contains \"2\"");

        assertThat(hits(answer).getFirst().get("fields").get("title").asString())
                .isEqualTo("Green Grass");
    }

    @Test
    void aDocumentWithoutAParentHasNoImportedValues() throws Exception {
        for (String id : List.of("3", "4")) {
            Answer answer =
                    search(
                            "select * from ad where text contains \"" + id + "\"",
                            "presentation.summary=short");

            assertThat(hits(answer).getFirst().get("fields").toString())
                    .doesNotContain("title", "budget", "tags", "people", "advertiser");
        }
    }

    @Test
    void summariesShowTheElementsOfImportedFieldsThatMatch() throws Exception {
        Answer answer =
                search(
                        "select * from ad where tags contains \"new\" and people.name contains \"bo\"",
                        "presentation.summary=found");

        assertThat(hits(answer).getFirst().get("fields").toString())
                .contains("\"found_tags\":[\"new\"]")
                .contains("\"found_people\":[{\"name\":\"Bo\",\"born\":1970}]");
    }

    @Test
    void rankingReadsImportedFields() throws Exception {
        Answer answer =
                search(
                        "select * from ad where rank(true, tags contains \"big\", title contains \"blue"
                                + " sky\", geoLocation(place, 63.4, 10.4, \"10 km\"))",
                        "ranking=values",
                        "ranking.properties.dotProduct.w={red:2,blue:5}");

        assertThat(ids(answer)).startsWith("2 1 5");
        JsonNode hit = hits(answer).get(1);
        assertThat(hit.get("relevance").asDouble()).isEqualTo(25);
        JsonNode features = hit.at("/fields/matchfeatures");
        assertThat(features.get("attribute(budget)").asDouble()).isEqualTo(20);
        assertThat(features.get("attribute(ratio)").asDouble()).isEqualTo(0.5);
        assertThat(features.get("attribute(active)").asDouble()).isEqualTo(1);
        assertThat(features.get("attribute(amounts).count").asDouble()).isEqualTo(3);
        assertThat(features.get("attribute(people.born).count").asDouble()).isEqualTo(2);
        assertThat(features.get("attribute(weights,red).weight").asDouble()).isEqualTo(3);
        assertThat(features.get("attributeMatch(tags).matches").asDouble()).isEqualTo(1);
        assertThat(features.get("dotProduct(weights,w)").asDouble()).isEqualTo(11);
        assertThat(features.get("matches(title)").asDouble()).isEqualTo(1);
        assertThat(features.get("distance(place).km").asDouble()).isLessThan(1);
        assertThat(features.get("vector_sum").asDouble()).isEqualTo(1);
        assertThat(features.get("parts_sum").asDouble()).isEqualTo(6);
        assertThat(hits(answer).getFirst().at("/fields/matchfeatures/matches(title)").asDouble())
                .isZero();
    }

    @Test
    void laterPhasesReadImportedFields() throws Exception {
        Answer answer = search("select * from ad where budget > 0", "ranking=phases");

        assertThat(ids(answer)).startsWith("2 1");
        assertThat(hits(answer).getFirst().get("relevance").asDouble()).isEqualTo(1020);
    }

    /** Profiles with their field, and the nearest documents. */
    @ParameterizedTest
    @CsvSource({"near,vector,2 1 5", "angles,angle,2 1 5", "parts,parts,1 5 2"})
    void importedVectorsHaveNearestNeighbors(String profile, String field, String all)
            throws Exception {
        String query = "select * from ad where {targetHits:%d}nearestNeighbor(" + field + ", q)";

        Answer nearest = search(query.formatted(2), "ranking=" + profile, "input.query(q)=[1,0.1]");
        Answer every = search(query.formatted(10), "ranking=" + profile, "input.query(q)=[0,5]");

        assertThat(sorted(ids(nearest))).isEqualTo("1 5");
        assertThat(ids(every)).isEqualTo(all);
    }

    @Test
    void documentsAreGroupedByImportedFields() throws Exception {
        String groups =
                search(
                                "select * from ad where true limit 0 | all(group(advertiser)"
                                        + " order(-sum(budget)) each(output(count(), sum(budget),"
                                        + " max(ratio)) each(output(summary(short)))))")
                        .body();

        assertThat(groups)
                .contains("\"value\":\"Cool & Co\",\"fields\":{\"count()\":2,\"sum(budget)\":40")
                .contains("\"value\":\"Warm\",\"fields\":{\"count()\":1,\"sum(budget)\":10")
                .contains("\"title\":\"Green Grass\"");
        assertThat(
                        search(
                                        "select * from ad where true limit 0 | all(group(tags)"
                                                + " each(output(count())))")
                                .body())
                .contains("\"value\":\"big\",\"fields\":{\"count()\":2}");
    }

    @Test
    void aChangedParentIsSeenByTheNextQuery() throws Exception {
        campaign("c", "\"title\":\"first\",\"budget\":1");
        ad("7", "\"campaign_ref\":\"id:ns:campaign::c\"");
        assertThat(ids(search("select * from ad where title contains \"first\""))).isEqualTo("7");

        Answer updated =
                served.put(
                        "/document/v1/ns/campaign/docid/c",
                        "{\"fields\":{\"title\":{\"assign\":\"second\"}}}");

        assertThat(updated.status()).isEqualTo(200);
        assertThat(ids(search("select * from ad where title contains \"first\""))).isEmpty();
        assertThat(ids(search("select * from ad where title contains \"second\""))).isEqualTo("7");
        assertThat(served.delete("/document/v1/ns/campaign/docid/c").status()).isEqualTo(200);
        assertThat(ids(search("select * from ad where title contains \"second\""))).isEmpty();
        assertThat(served.delete("/document/v1/ns/ad/docid/7").status()).isEqualTo(200);
    }

    @Test
    void aReferenceIsAssignedAndCleared() throws Exception {
        ad("8", "\"campaign_ref\":\"id:ns:campaign::a\"");
        String path = "/document/v1/ns/ad/docid/8";
        update(path, "{\"assign\":\"id:ns:campaign::b\"}");
        assertThat(ids(search("select * from ad where budget = 10 and text contains \"8\"")))
                .isEqualTo("8");
        assertThat(served.get(path).json().at("/fields/campaign_ref").asString())
                .isEqualTo("id:ns:campaign::b");

        update(path, "{\"assign\":null}");

        assertThat(ids(search("select * from ad where budget > 0 and text contains \"8\"")))
                .isEmpty();
        assertThat(served.get(path).json().at("/fields/campaign_ref").isMissingNode()).isTrue();
        Answer wrong =
                served.put(
                        path,
                        "{\"fields\":{\"campaign_ref\":{\"assign\":\"id:ns:advertiser::cool\"}}}");
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.message()).contains("expected the id of a document of type 'campaign'");
        assertThat(served.delete(path).status()).isEqualTo(200);
    }

    private void update(String path, String change) throws Exception {
        Answer answer = served.put(path, "{\"fields\":{\"campaign_ref\":" + change + "}}");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    @Test
    void selectionsDoNotKnowImportedFields() throws Exception {
        Answer answer =
                served.get(
                        "/document/v1/ns/ad/docid/?selection="
                                + URLEncoder.encode("ad.budget > 1", UTF_8));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.message()).contains("budget");
    }

    @Test
    void streamedDocumentsImportFields(@TempDir Path other) throws Exception {
        try (var streamed = ServedPackage.of(other, Advertisements.files("streaming"))) {
            streamed.write(
                    "/document/v1/ns/campaign/docid/a", "\"title\":\"Blue Sky\",\"budget\":20");
            streamed.write(
                    "/document/v1/ns/ad/group/anna/1",
                    "\"text\":\"one\",\"campaign_ref\":\"id:ns:campaign::a\"");
            streamed.write(
                    "/document/v1/ns/ad/group/bob/2",
                    "\"text\":\"two\",\"campaign_ref\":\"id:ns:campaign::a\"");

            Answer answer =
                    streamed.search(
                            "anna", "select * from ad where title contains \"blue sky\"", "");

            assertThat(ids(answer)).isEqualTo("1");
            assertThat(hits(answer).getFirst().at("/fields/budget").asInt()).isEqualTo(20);
        }
    }
}
