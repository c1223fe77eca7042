package org.crabro.samples.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Searched parts of structs, arrays and maps as fields of their own, over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PartFeaturesIT {
    private static final String SCHEMA =
            """
            schema note {
              document note {
                struct person {
                  field name type string {}
                  field nick type string {}
                  field age type int {}
                  field score type float {}
                  field fan type bool {}
                  field tags type array<string> {}
                }
                field title type string { indexing: index }
                field code type string {
                  indexing: index
                  match: exact
                }
                field people type array<person> {
                  indexing: summary
                  struct-field name { indexing: index }
                  struct-field nick { indexing: attribute }
                  struct-field age { indexing: attribute }
                  struct-field score { indexing: attribute }
                  struct-field fan { indexing: attribute }
                  struct-field tags { indexing: index }
                }
                field links type map<string, string> {
                  indexing: summary
                  struct-field key { indexing: attribute }
                  struct-field value { indexing: index }
                }
                field known type map<string, person> {
                  indexing: summary
                  struct-field value.age { indexing: attribute }
                  struct-field value.name { indexing: index }
                }
                field boss type person {
                  indexing: summary
                  struct-field name { indexing: index }
                  struct-field age { indexing: attribute }
                }
              }
              fieldset all { fields: title, people.name, links.value }
              rank-profile features {
                rank-properties {
                  dotProduct.some: "[2 0 1]"
                  fieldMatch(people.name).maxAlternativeSegmentations: 100
                }
                # features
              }
              rank-profile filtered inherits features {
                rank people.name: filter
              }
              rank-profile lists {
                rank-properties { fieldInfo.enable: true }
              }
            }
            """;

    /** Each becomes a function, so that expressions are features of hits too. */
    private static final List<String> EXPRESSIONS =
            List.of(
                    "attribute(people.age, 0)",
                    "attribute(people.age, 1)",
                    "attribute(people.age, 2)",
                    "attribute(people.age, 3)",
                    "attribute(people.age).count",
                    "isNan(attribute(people.score, 1))",
                    "attribute(people.score, 2)",
                    "attribute(people.fan, 0)",
                    "attribute(people.fan, 2)",
                    "attribute(people.nick, 0) == \"an\"",
                    "attribute(people.nick, 1) == \"\"",
                    "dotProduct(people.age, some)",
                    "attribute(links.key).count",
                    "attribute(links.key, 0) == \"home\"",
                    "attribute(known.value.age, 0)",
                    "attribute(boss.age)",
                    "reduce(tensorFromLabels(attribute(people.age), x), count)",
                    "reduce(tensorFromLabels(attribute(people.age), x){x:7}, sum)",
                    "matches(people.age)",
                    "matches(people.name)",
                    "matches(people.nick)",
                    "matches(people)",
                    "matchCount(people.age)",
                    "matchCount(people.name)",
                    "fieldLength(people.name)",
                    "fieldLength(links.value)",
                    "fieldLength(known.value.name)",
                    "fieldLength(boss.name)",
                    "fieldTermMatch(people.name, 0).occurrences",
                    "fieldTermMatch(people.name, 0).firstPosition",
                    "fieldMatch(people.name).matches",
                    "fieldMatch(people.name).fieldCompleteness",
                    "fieldMatch(boss.name).fieldCompleteness",
                    "bm25(people.name) > 0",
                    "bm25(people.tags) > 0",
                    "fieldLength(people.tags)",
                    "nativeFieldMatch(people.name) > 0",
                    "nativeAttributeMatch(people.age) > 0",
                    "attributeMatch(people.age).matches",
                    "textSimilarity(boss.name).fieldCoverage",
                    "elementCompleteness(people.name).fieldCompleteness",
                    "reduce(elementwise(bm25(people.name), x, float), count)",
                    "fieldInfo(people.name).type",
                    "fieldInfo(people.age).type",
                    "age(people.age) > 0",
                    "foreach(attributes, A, \"matches(A)\", true, sum)",
                    "matches(code)",
                    "fieldLength(code)",
                    "bm25(code) > 0",
                    "fieldTermMatch(code, 6).firstPosition",
                    "fieldInfo(code).filter",
                    "fieldInfo(code).len",
                    "nativeProximity(people.name)");

    private final Http http = new Http();
    private CrabroServer server;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        server = CrabroServer.start(TestSettings.onAnyPorts(data));
        var functions = new StringBuilder();
        for (int i = 0; i < EXPRESSIONS.size(); i++) {
            functions.append(
                    "function f%d() { expression: %s }\n".formatted(i, EXPRESSIONS.get(i)));
            functions.append("match-features: f%d\n".formatted(i));
        }
        byte[] zip =
                Http.zip(
                        Map.of(
                                "services.xml",
                                NotesApplication.SERVICES,
                                "schemas/note.sd",
                                SCHEMA.replace("# features", functions)));
        URI deploy = server.config().resolve("/application/v2/tenant/default/prepareandactivate");
        Http.Answer deployed = http.post(deploy, "application/zip", zip);
        assertThat(deployed.status()).as("%s", deployed).isEqualTo(200);
        put(
                1,
                """
                {"title": "one", "code": "A-1 b",
                 "people": [
                   {"name": "Ann Lee", "nick": "an", "age": 30, "score": 1.5, "fan": true,
                    "tags": ["red", "dark blue"]},
                   {"name": "Bob"},
                   {"name": "Ann", "nick": "bo", "age": 7, "score": 2, "fan": false,
                    "tags": ["blue"]}],
                 "links": {"home": "the ann page", "work": "page"},
                 "known": {"x": {"name": "Ann Smith", "age": 41}},
                 "boss": {"name": "Ann Boss", "age": 50}}
                """);
        put(2, "{\"title\": \"two\", \"people\": [{\"name\": \"Cid\", \"age\": 40}]}");
        put(3, "{\"title\": \"three\"}");
    }

    @AfterAll
    void stop() {
        server.close();
        http.close();
    }

    private static final String QUERY =
            "people.name contains \"ann\" and people.age = 7 and links.value contains \"page\""
                    + " and known.value.name contains \"smith\" and boss.name contains \"ann\""
                    + " and people.tags contains \"blue\" and code contains \"a-1 b\"";

    @ParameterizedTest(quoteTextArguments = false)
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "attribute(people.age, 0) | 30",
                "attribute(people.age, 1) | -2147483648",
                "attribute(people.age, 2) | 7",
                "attribute(people.age, 3) | 0",
                "attribute(people.age).count | 3",
                "isNan(attribute(people.score, 1)) | 1",
                "attribute(people.score, 2) | 2",
                "attribute(people.fan, 0) | 1",
                "attribute(people.fan, 2) | 0",
                "attribute(people.nick, 0) == \"an\" | 1",
                "attribute(people.nick, 1) == \"\" | 1",
                "dotProduct(people.age, some) | 67",
                "attribute(links.key).count | 2",
                "attribute(links.key, 0) == \"home\" | 1",
                "attribute(known.value.age, 0) | 41",
                "attribute(boss.age) | 50",
                "reduce(tensorFromLabels(attribute(people.age), x), count) | 3",
                "reduce(tensorFromLabels(attribute(people.age), x){x:7}, sum) | 1",
                "matches(people.age) | 1",
                "matches(people.name) | 1",
                "matches(people.nick) | 0",
                "matches(people) | 1",
                "matchCount(people.age) | 1",
                "matchCount(people.name) | 1",
                "fieldLength(people.name) | 4",
                "fieldLength(links.value) | 4",
                "fieldLength(known.value.name) | 2",
                "fieldLength(boss.name) | 2",
                "fieldTermMatch(people.name, 0).occurrences | 2",
                "fieldTermMatch(people.name, 0).firstPosition | 0",
                "fieldMatch(people.name).matches | 1",
                "fieldMatch(people.name).fieldCompleteness | 0.25",
                "fieldMatch(boss.name).fieldCompleteness | 0.5",
                "bm25(people.name) > 0 | 1",
                "bm25(people.tags) > 0 | 1",
                "fieldLength(people.tags) | 4",
                "nativeFieldMatch(people.name) > 0 | 1",
                "nativeAttributeMatch(people.age) > 0 | 1",
                "attributeMatch(people.age).matches | 1",
                "textSimilarity(boss.name).fieldCoverage | 0.5",
                "elementCompleteness(people.name).fieldCompleteness | 1",
                "reduce(elementwise(bm25(people.name), x, float), count) | 2",
                "fieldInfo(people.name).type | 1",
                "fieldInfo(people.age).type | 2",
                "age(people.age) > 0 | 1",
                "foreach(attributes, A, \"matches(A)\", true, sum) | 1",
            })
    void aSearchedPartIsAFieldOfItsOwnForEveryFeature(String expression, double expected)
            throws Exception {
        assertThat(feature("features", expression)).isCloseTo(expected, within(1e-9));
    }

    @Test
    void aPartHasTheElementGapOfItsFieldOrItsOwn() throws Exception {
        double apart = proximityInConsecutiveElements("");
        double near = proximityInConsecutiveElements("&ranking.elementGap.people.name=0");

        assertThat(near).isGreaterThan(apart);
        assertThat(proximityInConsecutiveElements("&ranking.elementGap.people=0")).isEqualTo(near);
        assertThat(proximityInConsecutiveElements("&ranking.elementGap.people=infinity"))
                .isEqualTo(apart);
    }

    private double proximityInConsecutiveElements(String gap) throws Exception {
        String words = "people.name contains \"lee\" and people.name contains \"bob\"";
        JsonNode hit = answer("&ranking=features" + gap, words).path("children").get(0);
        return hit.get("fields")
                .get("matchfeatures")
                .get("f" + EXPRESSIONS.indexOf("nativeProximity(people.name)"))
                .asDouble();
    }

    @Test
    void everyExpressionOfTheTableIsComputed() throws Exception {
        assertThat(hits("features", QUERY)).hasSize(1);
        assertThat(hits("features", QUERY).getFirst().get("matchfeatures"))
                .hasSize(EXPRESSIONS.size());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "matches(code) | 1",
                "fieldLength(code) | 1000000",
                "bm25(code) > 0 | 0",
                "fieldTermMatch(code, 6).firstPosition | 1000000",
                "fieldInfo(code).filter | 1",
                "fieldInfo(code).len | 1000000",
            })
    void aFieldOfExactMatchesWithAnIndexOnlyFilters(String expression, double expected)
            throws Exception {
        assertThat(feature("features", expression)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fieldLength(people.name) | 1000000",
                "matches(people.name) | 1",
                "fieldTermMatch(people.name, 0).firstPosition | 1000000",
                "bm25(people.name) > 0 | 0",
            })
    void aPartThatOnlyFiltersMatchesWithoutPositions(String expression, double expected)
            throws Exception {
        assertThat(feature("filtered", expression)).isEqualTo(expected);
    }

    @ParameterizedTest(quoteTextArguments = false)
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "all contains \"ann\" | one",
                "all contains \"cid\" | two",
                "all contains \"three\" | three",
                "people.name contains phrase(\"ann\", \"lee\") | one",
                "people.name contains near(\"lee\", \"ann\") | one",
                "people.name contains ({prefix: true}\"ci\") | two",
                "people.nick contains \"bo\" | one",
                "people.nick contains \"b\" |",
                "people.age > 8 | one two",
                "people.age = 0 |",
                "people.age in (40, 11) | two",
                "links.key contains \"work\" | one",
                "known.value.age = 41 | one",
                "people contains sameElement(name contains \"ann\", age = 7) | one",
                "people contains sameElement(name contains \"lee\", age = 7) |",
                "weightedSet(people.nick, {\"bo\": 3, \"cy\": 4}) | one",
            })
    void aSearchedPartIsSearchedAsAField(String condition, @Nullable String titles)
            throws Exception {
        assertThat(titles("", condition)).isEqualTo(titles == null ? "" : titles);
    }

    @Test
    void aSearchedPartIsAKeyOfSortsAndGroups() throws Exception {
        String all = "people.age > 0";

        assertThat(titles(" order by people.age", all)).isEqualTo("one two");
        assertThat(titles(" order by people.age desc", all)).isEqualTo("two one");
        assertThat(titles(" order by boss.age desc", "boss.age > 0")).isEqualTo("one");
        assertThat(
                        search("", all + " | all(group(people.age) each(output(count())))")
                                .findValuesAsString("value"))
                .contains("7", "30", "40");
    }

    @Test
    void theRankPropertyFieldInfoEnableListsFieldInfoOfEveryField() throws Exception {
        JsonNode hit =
                answer("&ranking=lists&ranking.listFeatures=true", "title contains \"one\"")
                        .get("children")
                        .get(0);
        JsonNode listed = hit.get("fields").get("rankfeatures");

        assertThat(listed.propertyNames())
                .contains(
                        "fieldInfo(title).type",
                        "fieldInfo(title).filter",
                        "fieldInfo(title).search",
                        "fieldInfo(title).hit",
                        "fieldInfo(title).len",
                        "fieldInfo(title).first",
                        "fieldInfo(title).last",
                        "fieldInfo(title).cnt",
                        "fieldInfo(people.age).type");
        assertThat(listed.get("fieldInfo(title).hit").asDouble()).isEqualTo(1);
        assertThat(
                        answer(
                                        "&ranking=features&ranking.listFeatures=true",
                                        "title contains \"one\"")
                                .toString())
                .doesNotContain("fieldInfo(title)");
    }

    @Test
    void updatesOfPartsByPathChangeTheirFeatures() throws Exception {
        put(9, "{\"title\": \"nine\", \"people\": [{\"name\": \"Zoe\"}, {\"name\": \"Zed\"}]}");
        update(9, "{\"people[1].age\": {\"assign\": 5}, \"boss.age\": {\"assign\": 3}}");
        String query = "people.name contains \"zoe\" and people.age = 5 and boss.age = 3";
        List<JsonNode> before = hits("features", query);
        http.delete(path(9));

        assertThat(before).hasSize(1);
        assertThat(before.getFirst().get("matchfeatures").get("f1").asDouble()).isEqualTo(5);
    }

    private double feature(String profile, String expression) throws Exception {
        int index = EXPRESSIONS.indexOf(expression);
        assertThat(index).isNotNegative();
        return hits(profile, QUERY).getFirst().get("matchfeatures").get("f" + index).asDouble();
    }

    private List<JsonNode> hits(String profile, String condition) throws Exception {
        var hits = new ArrayList<JsonNode>();
        answer("&ranking=" + profile, condition)
                .path("children")
                .forEach(hit -> hits.add(hit.get("fields")));
        return hits;
    }

    private String titles(String order, String condition) throws Exception {
        var titles = new ArrayList<String>();
        search(order, condition)
                .path("children")
                .forEach(hit -> {
                    String id = hit.get("id").asString();
                    titles.add(
                            switch (id.charAt(id.length() - 1)) {
                                case '1' -> "one";
                                case '2' -> "two";
                                default -> "three";
                            });
                });
        return String.join(" ", order.isEmpty() ? titles.stream().sorted().toList() : titles);
    }

    private JsonNode search(String order, String condition) throws Exception {
        int pipe = condition.indexOf(" | ");
        return pipe < 0
                ? answer("&ranking=unranked", condition + order)
                : answer("&ranking=unranked", condition);
    }

    private JsonNode answer(String parameters, String condition) throws Exception {
        String yql = "select * from note where " + condition;
        Http.Answer answer =
                http.get(
                        server.container()
                                .resolve(
                                        "/search/?timeout=30s&streaming.groupname=g&yql="
                                                + URLEncoder.encode(yql, StandardCharsets.UTF_8)
                                                + parameters));
        assertThat(answer.status()).as("%s %s", condition, answer).isEqualTo(200);
        assertThat(answer.body().get("root").has("errors")).as("%s", answer).isFalse();
        return answer.body().get("root");
    }

    private URI path(int number) {
        return server.container().resolve("/document/v1/n/note/group/g/" + number);
    }

    private void put(int number, String fields) throws Exception {
        Http.Answer put =
                http.post(path(number), Http.JSON.readTree("{\"fields\":%s}".formatted(fields)));
        assertThat(put.status()).as("%s", put).isEqualTo(200);
    }

    private void update(int number, String fields) throws Exception {
        Http.Answer put =
                http.put(path(number), Http.JSON.readTree("{\"fields\":%s}".formatted(fields)));
        assertThat(put.status()).as("%s", put).isEqualTo(200);
    }
}
