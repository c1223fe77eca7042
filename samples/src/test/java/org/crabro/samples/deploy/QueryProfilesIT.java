package org.crabro.samples.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Query profiles of every kind, applied to requests over HTTP. */
class QueryProfilesIT {
    private static final String DEPLOY = "/application/v2/tenant/default/prepareandactivate";
    private static final String FOLDER = "search/query-profiles/";

    private static final String SCHEMA =
            """
            schema note {
              document note {
                field text type string { indexing: index | summary }
                field year type int { indexing: attribute | summary }
                field place type tensor<float>(x[2]) { indexing: attribute | summary }
              }
              rank-profile year { first-phase { expression: attribute(year) } }
              rank-profile back { first-phase { expression: -attribute(year) } }
              rank-profile near { first-phase { expression: closeness(field, place) } }
              document-summary brief { summary text {} }
            }
            """;

    private static final Map<String, String> PROFILES =
            Map.ofEntries(
                    Map.entry(
                            "base",
                            """
                            <query-profile id="base">
                              <field name="yql">select * from note where text contains "%{word}"</field>
                              <field name="hits">4</field>
                              <field name="ranking">year</field>
                              <field name="streaming.groupname" overridable="false">anna</field>
                            </query-profile>
                            """),
                    Map.entry(
                            "default",
                            """
                            <query-profile id="default" inherits="base">
                              <dimensions>device, language</dimensions>
                              <field name="hits">3</field>
                              <query-profile for="phone"><field name="hits">1</field></query-profile>
                              <query-profile for="*, de"><field name="ranking">back</field></query-profile>
                              <query-profile for="phone, fr" inherits="small"/>
                            </query-profile>
                            """),
                    Map.entry(
                            "small",
                            """
                            <query-profile id="small">
                              <field name="hits">2</field>
                              <field name="ranking">back</field>
                            </query-profile>
                            """),
                    Map.entry(
                            "brief",
                            "<query-profile id=\"brief\"><field name=\"summary\">brief</field></query-profile>"),
                    Map.entry(
                            "shown",
                            """
                            <query-profile id="shown" inherits="base">
                              <field name="presentation"><ref>brief</ref></field>
                            </query-profile>
                            """),
                    Map.entry(
                            "strict",
                            "<query-profile id=\"strict\" type=\"strict\" inherits=\"base\"/>"),
                    Map.entry(
                            "needy",
                            "<query-profile id=\"needy\" type=\"needy\" inherits=\"base\"/>"),
                    Map.entry(
                            "mail", "<query-profile id=\"mail\" type=\"path\" inherits=\"base\"/>"),
                    Map.entry(
                            "tensors",
                            """
                            <query-profile id="tensors" type="tensors" inherits="base">
                              <field name="yql">select * from note where {targetHits: 4}nearestNeighbor(place, q)</field>
                              <field name="ranking">near</field>
                              <field name="ranking.features.query(q)">[1, 0]</field>
                            </query-profile>
                            """),
                    Map.entry(
                            "old-1.2",
                            """
                            <query-profile id="old:1.2" inherits="base"><field name="hits">1</field></query-profile>
                            """),
                    Map.entry(
                            "old-1.10",
                            """
                            <query-profile id="old:1.10" inherits="base"><field name="hits">2</field></query-profile>
                            """));

    private static final Map<String, String> TYPES =
            Map.of(
                    "strict",
                    """
                    <query-profile-type id="strict" inherits="native">
                      <strict/>
                      <field name="word" type="string"/>
                      <field name="limit" type="integer" alias="max"/>
                    </query-profile-type>
                    """,
                    "needy",
                    """
                    <query-profile-type id="needy">
                      <field name="user" type="string" mandatory="true"/>
                    </query-profile-type>
                    """,
                    "path",
                    "<query-profile-type id=\"path\"><match path=\"true\"/></query-profile-type>",
                    "tensors",
                    """
                    <query-profile-type id="tensors">
                      <field name="ranking.features.query(q)" type="tensor&lt;float&gt;(x[2])"/>
                    </query-profile-type>
                    """);

    @TempDir static Path data;

    private static final Http HTTP = new Http();
    private static CrabroServer server;

    @BeforeAll
    static void start() throws Exception {
        server = CrabroServer.start(TestSettings.onAnyPorts(data));
        var files = new TreeMap<String, String>();
        files.put("services.xml", NotesApplication.SERVICES);
        files.put("schemas/note.sd", SCHEMA);
        PROFILES.forEach((name, text) -> files.put(FOLDER + name + ".xml", text));
        TYPES.forEach((name, text) -> files.put(FOLDER + "types/" + name + ".xml", text));
        Http.Answer deployed =
                HTTP.post(server.config().resolve(DEPLOY), "application/zip", Http.zip(files));
        assertThat(deployed.status()).as(deployed.toString()).isEqualTo(200);
        for (int i = 1; i <= 5; i++) {
            Http.Answer put =
                    HTTP.post(
                            server.container().resolve("/document/v1/test/note/group/anna/" + i),
                            Http.JSON.readTree(
                                    """
                                    {"fields": {"text": "red apple %d", "year": %d, "place": [%d, 0]}}
                                    """
                                            .formatted(i, i, i)));
            assertThat(put.status()).as(put.toString()).isEqualTo(200);
        }
    }

    @AfterAll
    static void stop() {
        server.close();
        HTTP.close();
    }

    private static Http.Answer ask(String parameters) throws Exception {
        var query = new StringBuilder("/search/?timeout=30s");
        for (String parameter : parameters.split("&", -1)) {
            String[] parts = parameter.split("=", 2);
            query.append('&').append(URLEncoder.encode(parts[0], StandardCharsets.UTF_8));
            query.append('=').append(URLEncoder.encode(parts[1], StandardCharsets.UTF_8));
        }
        return HTTP.get(server.container().resolve(query.toString()));
    }

    /** Returns how many hits there are, and the year of the first one. */
    private static String shown(Http.Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        JsonNode hits = answer.body().get("root").path("children");
        return hits.size() + " " + hits.path(0).path("fields").path("year").asInt();
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            textBlock =
                    """
                    word=apple                                      => 3 5
                    word=pear                                       => 0 0
                    word=apple&hits=2                               => 2 5
                    word=apple&streaming.groupname=bob              => 3 5
                    word=apple&device=phone                         => 1 5
                    word=apple&language=de                          => 3 1
                    word=apple&device=phone&language=de             => 1 1
                    word=apple&device=phone&language=fr             => 1 1
                    word=apple&device=pc&language=fr                => 3 5
                    word=apple&device=phone&hits=5                  => 5 5
                    word=apple&queryProfile=base                    => 4 5
                    word=apple&queryProfile=mail/inbox/today        => 4 5
                    word=apple&queryProfile=old                     => 2 5
                    word=apple&queryProfile=old:1.2                 => 1 5
                    word=apple&queryProfile=strict&max=7            => 4 5
                    word=apple&queryProfile=needy&user=anna         => 4 5
                    word=apple&queryProfile=tensors                 => 4 1
                    word=apple&queryProfile=tensors&input.query(q)=[5,0] => 4 5
                    word=apple&queryProfile=base&ranking=back       => 4 1
                    """)
    void appliesThem(String request, String expected) throws Exception {
        assertThat(shown(ask(request))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            textBlock =
                    """
                    word=apple&queryProfile=none                => 'none'
                    word=apple&queryProfile=base/other          => 'base/other'
                    word=apple&queryProfile=old:2               => 'old:2'
                    word=apple&queryProfile=needy               => user
                    word=apple&queryProfile=strict&colour=red   => colour
                    word=apple&queryProfile=strict&limit=many   => limit
                    word=apple&queryProfile=tensors&input.query(q)=[1,2,3] => query(q)
                    """)
    void refusesWhatDoesNotFit(String request, String named) throws Exception {
        Http.Answer answer = ask(request);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.body().get("root").get("errors").get(0).get("message").asString())
                .contains(named.replace("'", ""));
    }

    @Test
    void hangsAProfileBelowAName() throws Exception {
        JsonNode fields = first(ask("word=apple&queryProfile=shown"));
        JsonNode asked = first(ask("word=apple&queryProfile=base&presentation=ref:brief"));

        assertThat(fields.has("year")).isFalse();
        assertThat(fields.get("text").asString()).isEqualTo("red apple 5");
        assertThat(asked).isEqualTo(fields);
    }

    @Test
    void appliesThemToQueriesThatArePosted() throws Exception {
        Http.Answer answer =
                HTTP.post(
                        server.container().resolve("/search/"),
                        Http.JSON.readTree(
                                """
                                {"word": "apple", "device": "phone", "language": "fr", "timeout": "30s"}
                                """));

        assertThat(shown(answer)).isEqualTo("1 1");
    }

    @Test
    void doesNotPutTextsIntoWhatARequestSays() throws Exception {
        Http.Answer answer =
                ask("word=apple&yql=select * from note where text contains \"%{word}\"");

        assertThat(shown(answer)).isEqualTo("0 0");
    }

    private static JsonNode first(Http.Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body().get("root").get("children").get(0).get("fields");
    }
}
