package org.crabro.container.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.application.Findings;
import org.crabro.config.queryprofile.QueryProfiles;
import org.crabro.config.queryprofile.QueryProfilesReader;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests over query profiles. */
class SearchProfilesTest {
    private static final Map<String, String> FILES =
            Map.of(
                    "default.xml",
                    """
                    <query-profile id="default" type="mine">
                      <field name="yql">select * from music where title contains "%{word}"</field>
                      <field name="hits">7</field>
                      <field name="timeout">60</field>
                      <field name="maxHits">1000</field>
                      <field name="maxOffset">5</field>
                      <field name="ranking">near</field>
                      <field name="input.query(q)">[1,2]</field>
                      <field name="streaming.groupname" overridable="false">g</field>
                      <field name="word">tea</field>
                    </query-profile>
                    """,
                    "plain.xml",
                    """
                    <query-profile id="plain" inherits="default">
                      <field name="ranking.profile">unranked</field>
                      <field name="ranking.features.query(q)">1</field>
                    </query-profile>
                    """,
                    "flat.xml",
                    "<query-profile id='flat'><field"
                            + " name='profile'>unranked</field></query-profile>",
                    "brief.xml",
                    "<query-profile id='brief'><field name='summary'>short</field></query-profile>",
                    "narrow.xml",
                    """
                    <query-profile id="narrow" type="narrow">
                      <field name="yql">select * from music where true</field>
                    </query-profile>
                    """,
                    "types/mine.xml",
                    """
                    <query-profile-type id="mine" inherits="native">
                      <field name="word" type="string" alias="w"/>
                      <field name="age" type="integer"/>
                      <field name="presentation" type="query-profile"/>
                      <field name="my" type="query-profile:own"/>
                    </query-profile-type>
                    """,
                    "types/own.xml",
                    """
                    <query-profile-type id="own">
                      <strict/>
                      <field name="size" type="integer"/>
                    </query-profile-type>
                    """,
                    "types/narrow.xml",
                    """
                    <query-profile-type id="narrow">
                      <strict/>
                      <field name="yql" type="string"/>
                      <field name="streaming.groupname" type="string" mandatory="true"/>
                    </query-profile-type>
                    """);

    @TempDir private Path directory;

    private final SearchServer server = new SearchServer();

    @BeforeEach
    void start() throws Exception {
        server.start(profiles());
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    private QueryProfiles profiles() throws IOException {
        for (Map.Entry<String, String> file : FILES.entrySet()) {
            Path path = directory.resolve("search/query-profiles", file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
        var findings = new Findings();
        QueryProfiles read =
                QueryProfilesReader.read(
                        DirectoryFiles.of(directory), ApplicationName.DEFAULT, findings);
        assertThat(findings.problems()).isEmpty();
        return read;
    }

    @Test
    void completesRequestsFromTheDefaultProfile() throws Exception {
        String response = server.get("/search/?trace.level=1");

        SearchRequest request = server.asked().getFirst();
        assertThat(request.hits().count()).isEqualTo(7);
        assertThat(request.query().tree().toString()).contains("tea");
        assertThat(request.query().ranking().profile()).isEqualTo("near");
        assertThat(request.query().ranking().inputs())
                .containsEntry("q", new QueryInput.TensorInput(MusicApplication.tensor(1, 2)));
        assertThat(request.scope().documents()).isEqualTo(new Scope.Group("g"));
        assertThat(response).contains("Using query profile 'default'");
    }

    @Test
    void letsARequestSayOtherValuesByAnyName() throws Exception {
        server.get(
                "/search/?W=green&count=900&ranking.features.query(q)=[3,4]&streaming.groupname=other"
                        + "&ranking.profile=default&ranking=near");

        SearchRequest request = server.asked().getFirst();
        assertThat(request.hits().count()).isEqualTo(900);
        assertThat(request.query().tree().toString()).contains("green");
        assertThat(request.query().ranking().profile()).isEqualTo("near");
        assertThat(request.query().ranking().inputs())
                .containsEntry("q", new QueryInput.TensorInput(MusicApplication.tensor(3, 4)));
        assertThat(request.scope().documents()).isEqualTo(new Scope.Group("g"));
    }

    @Test
    void usesTheProfileThatARequestNames() throws Exception {
        server.get("/search/?queryProfile=plain");

        assertThat(server.asked().getFirst().query().ranking().profile()).isEqualTo("unranked");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    queryProfile=none                    | there is no query profile 'none'
                    hits=1001                            | requested hits: 1001, max allowed: 1000
                    offset=6                             | requested offset: 6, max allowed: 5
                    maxHits=2000                         | 'maxHits' cannot be set by a request
                    age=old                              | Could not set 'age': expected a value of type integer but found 'old'
                    queryProfile=narrow                  | query profile 'narrow': 'streaming.groupname' is mandatory, and neither the profile nor the request sets it
                    queryProfile=narrow&streaming.groupname=g&hits=3 | Could not set 'hits': it is not in query profile type 'narrow', which is strict
                    my.size=1&my.sise=2                  | Could not set 'my.sise': it is not in query profile type 'own', which is strict
                    model=ref:none                       | Could not set 'model': there is no query profile 'none'
                    my=brief                             | Could not set 'my': expected a value of type query-profile:own but found 'brief', which has no type
                    my=ref:narrow                        | Could not set 'my': expected a value of type query-profile:own but found 'narrow', which is of type 'narrow'
                    """)
    void refuses(String query, String problem) throws Exception {
        String response = server.get("/search/?" + query);

        assertThat(response).startsWith("HTTP/1.1 400").contains(problem).contains("\"code\":3");
        assertThat(server.asked()).isEmpty();
    }

    @Test
    void hangsAProfileWhereOneBelongs() throws Exception {
        server.get("/search/?presentation=brief");

        assertThat(server.asked().getFirst().hits().summary().documentSummary()).isEqualTo("short");
        assertThat(server.get("/search/?presentation=breif"))
                .startsWith("HTTP/1.1 400")
                .contains("Could not set 'presentation': there is no query profile 'breif'");
    }

    @Test
    void hangsAProfileWhereARequestSaysSo() throws Exception {
        server.get("/search/?ranking=ref:flat&input.query(q)=1");

        assertThat(server.asked().getFirst().query().ranking().profile()).isEqualTo("unranked");
    }
}
