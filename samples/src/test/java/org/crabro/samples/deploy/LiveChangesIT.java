package org.crabro.samples.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.TWO_MINUTES;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Changes one thing of a package while documents stay stored: the next request sees it, and so does
 * the first one after a restart.
 */
class LiveChangesIT {
    private static final String DEPLOY = "/application/v2/tenant/default/prepareandactivate";

    private static final String SCHEMA =
            """
            schema note {
              document note {
                field text type string {
                  indexing: index | summary
                  match: text
                }
                field year type int { indexing: attribute | summary }
              }
              rank-profile weighed {
                inputs {
                  query(w): 2.0
                }
                first-phase {
                  expression: query(w) * attribute(year)
                }
              }
              document-summary brief {
                summary text {}
              }
            }
            """;

    private static final String PROFILE =
            """
            <query-profile id="default">
              <field name="hits">1</field>
            </query-profile>
            """;

    @TempDir Path data;

    private final Http http = new Http();
    private final Map<String, String> files =
            new TreeMap<>(
                    Map.of(
                            "services.xml",
                            NotesApplication.SERVICES,
                            "schemas/note.sd",
                            SCHEMA,
                            "search/query-profiles/default.xml",
                            PROFILE));
    private CrabroServer server;

    @BeforeEach
    void start() throws Exception {
        server = CrabroServer.start(TestSettings.onAnyPorts(data));
        assertThat(deploy().status()).isEqualTo(200);
        put(1, "{\"text\":\"One note\",\"year\":1}");
        put(2, "{\"text\":\"Two notes\",\"year\":2}");
    }

    @AfterEach
    void stop() {
        server.close();
        http.close();
    }

    @Test
    void matchesAsTheNewSchemaSays() throws Exception {
        String words = "&hits=10&yql=select * from note where text contains \"two\"";
        String whole = "&hits=10&yql=select * from note where text contains \"Two notes\"";
        List<String> before = texts(words);
        changeSchema("match: text", "match { word cased }");
        List<String> after = texts(words);
        List<String> wholeAfter = texts(whole);
        restart();

        assertThat(before).containsExactly("Two notes");
        assertThat(after).isEmpty();
        assertThat(wholeAfter).containsExactly("Two notes");
        assertThat(texts(words)).isEmpty();
        assertThat(texts(whole)).containsExactly("Two notes");
    }

    @Test
    void ranksWithTheNewExpressionAndTheNewInput() throws Exception {
        String query = "&hits=10&ranking=weighed&yql=select * from note where true";
        List<Double> before = relevances(query);
        changeSchema("query(w): 2.0", "query(w): 3.0");
        List<Double> input = relevances(query);
        changeSchema("query(w) * attribute(year)", "query(w) - attribute(year)");
        List<Double> expression = relevances(query);
        restart();

        assertThat(before).containsExactly(4.0, 2.0);
        assertThat(input).containsExactly(6.0, 3.0);
        assertThat(expression).containsExactly(2.0, 1.0);
        assertThat(relevances(query)).containsExactly(2.0, 1.0);
    }

    @Test
    void showsTheNewSummary() throws Exception {
        String query = "&hits=10&summary=brief&yql=select * from note where text contains \"two\"";
        JsonNode before = hits(query).getFirst();
        changeSchema("summary text {}", "summary year {}");
        JsonNode after = hits(query).getFirst();
        restart();

        assertThat(before.has("text")).isTrue();
        assertThat(before.has("year")).isFalse();
        assertThat(after.has("text")).isFalse();
        assertThat(after.get("year").asInt()).isEqualTo(2);
        assertThat(hits(query).getFirst()).isEqualTo(after);
    }

    @Test
    void usesValuesOfTheNewQueryProfile() throws Exception {
        String query = "&yql=select * from note where true";
        int before = hits(query).size();
        files.put("search/query-profiles/default.xml", PROFILE.replace(">1<", ">2<"));
        assertThat(deploy().status()).isEqualTo(200);
        int after = hits(query).size();
        restart();

        assertThat(before).isEqualTo(1);
        assertThat(after).isEqualTo(2);
        assertThat(hits(query)).hasSize(2);
    }

    @Test
    void computesNewFieldsForNewDocumentsAndThenForStoredOnes() throws Exception {
        files.put(
                "schemas/note.sd",
                SCHEMA.replace(
                        "  rank-profile weighed",
                        "  field copy type string { indexing: input text | summary }\n"
                                + "  rank-profile weighed"));
        Http.Answer answer = deploy();
        put(3, "{\"text\":\"Three\",\"year\":3}");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().get("configChangeActions").get("reindex").get(0).get("messages"))
                .hasToString("[\"Document type 'note': field 'copy' added\"]");
        List<JsonNode> hits =
                await().atMost(TWO_MINUTES)
                        .pollInterval(ONE_MILLISECOND)
                        .until(
                                this::hitsWithNewNoteComputed,
                                all -> all.stream().allMatch(hit -> hit.has("copy")));
        assertThat(hits).hasSize(3).allMatch(hit -> hit.get("copy").equals(hit.get("text")));
    }

    /** Returns all notes, after a check that note 3, fed after the deployment, has the field. */
    private List<JsonNode> hitsWithNewNoteComputed() throws Exception {
        List<JsonNode> hits = hits("&hits=10&yql=select * from note where true");
        assertThat(hits)
                .filteredOn(hit -> hit.get("text").asString().equals("Three"))
                .singleElement()
                .matches(hit -> hit.has("copy"));
        return hits;
    }

    @Test
    void readsStructsWhoseMembersCameAndWent() throws Exception {
        String members = "field name type string {}\n      field age type int {}";
        files.put("schemas/note.sd", withPerson(members));
        assertThat(deploy().status()).isEqualTo(200);
        put(
                3,
                """
                {"text": "Three", "who": {"name": "Ann", "age": 7},
                 "all": [{"name": "Bob", "age": 8}, {"age": 9}],
                 "by": {"x": {"name": "Cid", "age": 10}}}
                """);
        String changed = "field born type int {}\n      field name type string {}";
        files.put("schemas/note.sd", withPerson(changed));
        Http.Answer answer = deploy();
        put(4, "{\"text\": \"Four\", \"who\": {\"name\": \"Dan\", \"born\": 2001}}");
        String expected =
                """
                {"text": "Three", "who": {"name": "Ann"}, "all": [{"name": "Bob"}, {}],
                 "by": {"x": {"name": "Cid"}}}
                """;
        String query = "&hits=10&yql=select * from note where who.name contains \"Ann\"";

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.toString())
                .contains(
                        "field 'who.age' of type int was removed; about 1 documents have it",
                        "field 'all.age' of type int was removed; about 1 documents have it",
                        "field 'by.age' of type int was removed; about 1 documents have it");
        for (int i = 0; i < 2; i++) {
            assertThat(document(3)).isEqualTo(Http.JSON.readTree(expected));
            assertThat(document(4).get("who").get("born").asInt()).isEqualTo(2001);
            assertThat(hits(query))
                    .singleElement()
                    .matches(hit -> hit.get("who").toString().equals("{\"name\":\"Ann\"}"))
                    .matches(hit -> hit.get("all").get(0).toString().equals("{\"name\":\"Bob\"}"));
            assertThat(visited("note.who.born == 2001")).containsExactly("Four");
            assertThat(visited("note.who.name == \"Ann\"")).containsExactly("Three");
            // What was in the journal lies in blocks then.
            restart();
        }
        update(3, "{\"who.born\": {\"assign\": 1990}}");
        assertThat(document(3).get("who").toString()).isEqualTo("{\"born\":1990,\"name\":\"Ann\"}");
        files.put("schemas/note.sd", withPerson("field name type int {}"));
        Http.Answer refused = deploy();
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body().get("message").asString())
                .contains("field 'who.name' changed: type string to int");
    }

    private static String withPerson(String members) {
        return SCHEMA.replace(
                "document note {",
                """
                document note {
                    struct person {
                      %s
                    }
                    field who type person {
                      indexing: summary
                      struct-field name { indexing: attribute }
                    }
                    field all type array<person> { indexing: summary }
                    field by type map<string, person> { indexing: summary }
                """
                        .formatted(members));
    }

    private URI path(int id) {
        return server.container().resolve("/document/v1/test/note/group/anna/" + id);
    }

    private JsonNode document(int id) throws Exception {
        Http.Answer answer = http.get(path(id));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body().get("fields");
    }

    private void update(int id, String fields) throws Exception {
        Http.Answer answer = http.put(path(id), Http.JSON.readTree("{\"fields\":" + fields + "}"));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    /** Returns the texts of the documents that a selection means. */
    private List<String> visited(String selection) throws Exception {
        Http.Answer answer =
                http.get(
                        server.container()
                                .resolve(
                                        "/document/v1/test/note/group/anna?cluster=notes"
                                                + "&wantedDocumentCount=100&selection="
                                                + URLEncoder.encode(
                                                        selection, StandardCharsets.UTF_8)));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        var ids = new ArrayList<String>();
        answer.body()
                .get("documents")
                .forEach(each -> ids.add(each.get("fields").get("text").asString()));
        return ids;
    }

    @Test
    void aRemovedFieldNeedsNoOverrideAndTheFormerPackageShowsWhatIsLeft() throws Exception {
        files.put("schemas/note.sd", withoutYear());
        Http.Answer removed = deploy();
        JsonNode left = document(2);
        int hitsLeft = hits("&hits=10&yql=select * from note where true").size();
        Http.Answer asked = http.get(search("&yql=select * from note where year = 2"));
        restart();
        JsonNode afterRestart = document(2);
        update(1, "{\"text\": {\"assign\": \"Written again\"}}");
        files.put("schemas/note.sd", SCHEMA);
        Http.Answer back = deploy();

        assertThat(removed.status()).as(removed.toString()).isEqualTo(200);
        assertThat(removed.toString())
                .contains(
                        "cluster 'notes': document type 'note': field 'year' of type int was removed;"
                                + " about 2 documents have it; ");
        assertThat(left).hasToString("{\"text\":\"Two notes\"}");
        assertThat(hitsLeft).isEqualTo(2);
        assertThat(asked.status()).isEqualTo(400);
        assertThat(afterRestart).isEqualTo(left);
        assertThat(back.status()).as(back.toString()).isEqualTo(200);
        assertThat(document(2).get("year").asInt()).isEqualTo(2);
        assertThat(document(1)).hasToString("{\"text\":\"Written again\"}");
    }

    @Test
    void mergesDeleteTheValuesOfARemovedField() throws Exception {
        settle();
        files.put("schemas/note.sd", withoutYear());
        assertThat(deploy().status()).isEqualTo(200);
        for (int id = 3; id < 10; id++) {
            put(id, "{\"text\":\"More\"}");
            settle();
        }
        files.put("schemas/note.sd", SCHEMA);
        assertThat(deploy().status()).isEqualTo(200);

        for (int i = 0; i < 2; i++) {
            assertThat(document(2)).hasToString("{\"text\":\"Two notes\"}");
            assertThat(hits("&hits=10&yql=select * from note where year = 2")).isEmpty();
            assertThat(texts("&hits=10&yql=select * from note where text contains \"two\""))
                    .containsExactly("Two notes");
            restart();
        }
    }

    /** Writes everything to files, and merges them. */
    private void settle() throws Exception {
        Http.Answer answer =
                http.post(server.config().resolve("/crabro/v1/settle"), "text/plain", new byte[0]);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    private static String withoutYear() {
        return SCHEMA.replace("attribute(year)", "1").replaceFirst("field year.*", "");
    }

    @Test
    void refusesToLoseATypeUntilThePackageAllowsIt() throws Exception {
        files.remove("schemas/note.sd");
        files.put("schemas/page.sd", "schema page {\n  document page {}\n}\n");
        files.put("services.xml", NotesApplication.SERVICES.replace("\"note\"", "\"page\""));
        Http.Answer refused = deploy();
        allow("schema-removal");
        Http.Answer allowed = deploy();
        files.remove("schemas/page.sd");
        files.put("schemas/note.sd", SCHEMA);
        files.put("services.xml", NotesApplication.SERVICES);
        Http.Answer back = deploy();

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body().get("message").asString())
                .contains("schema-removal", "document type 'note' is gone");
        assertThat(allowed.status()).as(allowed.toString()).isEqualTo(200);
        assertThat(back.status()).as(back.toString()).isEqualTo(200);
        assertThat(hits("&hits=10&yql=select * from note where true")).hasSize(2);
    }

    private void allow(String id) {
        files.put(
                "validation-overrides.xml",
                "<validation-overrides><allow until=\"%s\">%s</allow></validation-overrides>"
                        .formatted(LocalDate.now(ZoneOffset.UTC).plusDays(1), id));
    }

    private void changeSchema(String from, String to) throws Exception {
        String schema = files.getOrDefault("schemas/note.sd", "");
        assertThat(schema).contains(from);
        files.put("schemas/note.sd", schema.replace(from, to));
        Http.Answer answer = deploy();
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    private void restart() throws Exception {
        server.close();
        server = CrabroServer.start(TestSettings.onAnyPorts(data));
    }

    private Http.Answer deploy() throws Exception {
        return http.post(server.config().resolve(DEPLOY), "application/zip", Http.zip(files));
    }

    private void put(int id, String fields) throws Exception {
        Http.Answer answer = http.post(path(id), Http.JSON.readTree("{\"fields\":" + fields + "}"));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    private List<String> texts(String parameters) throws Exception {
        return hits(parameters).stream().map(hit -> hit.get("text").asString()).toList();
    }

    private List<Double> relevances(String parameters) throws Exception {
        var relevances = new ArrayList<Double>();
        root(parameters)
                .path("children")
                .forEach(hit -> relevances.add(hit.get("relevance").asDouble()));
        return relevances;
    }

    private List<JsonNode> hits(String parameters) throws Exception {
        var hits = new ArrayList<JsonNode>();
        root(parameters).path("children").forEach(hit -> hits.add(hit.get("fields")));
        return hits;
    }

    private JsonNode root(String parameters) throws Exception {
        Http.Answer answer = http.get(search(parameters));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body().get("root");
    }

    private URI search(String parameters) {
        var query = new StringBuilder("/search/?timeout=30s&streaming.groupname=anna");
        for (String parameter : parameters.substring(1).split("&", -1)) {
            String[] parts = parameter.split("=", 2);
            query.append('&')
                    .append(parts[0])
                    .append('=')
                    .append(URLEncoder.encode(parts[1], StandardCharsets.UTF_8));
        }
        return server.container().resolve(query.toString());
    }
}
