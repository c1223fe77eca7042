package org.crabro.container.visit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.container.http.NotFoundHandler;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.select.SelectedPlaces;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.http.HttpTester;
import org.eclipse.jetty.server.Handler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Counts documents in a map, for senders with different groups. */
class GroupTotalsHandlerTest {
    private static final String PATH = "/crabro/v1/groups";
    private static final JsonMapper JSON = JsonMapper.shared();

    private final PagedDocuments documents = new PagedDocuments(VisitedApplication.types());
    private final VisitSettings settings = new VisitSettings(4, 4, 1_000, 100_000);
    private final VisitAdmission admission = new VisitAdmission(settings);

    /** The places that were read. */
    private final List<SelectedPlaces> read = new ArrayList<>();

    private Principal sender = Principal.EVERYONE;
    private final VisitConnection connection;

    /** Rejects reads of places that the sender may not access, as dispatch does. */
    private final VisitReads reads =
            new VisitReads() {
                @Override
                public Partitions partitions() {
                    return documents.partitions();
                }

                @Override
                public PageReply read(
                        Principal principal,
                        Deadline deadline,
                        SelectedPlaces places,
                        RequestMaker maker) {
                    read.add(places);
                    boolean isAllowed =
                            principal.hasEveryGroup()
                                    || (!places.isEverywhere()
                                            && places.places().stream()
                                                    .allMatch(place ->
                                                            place
                                                                            instanceof
                                                                            SelectedPlaces.Place.Of(
                                                                                    var key)
                                                                    && principal.mayAccess(key)));
                    return isAllowed
                            ? documents.read(principal, deadline, places, maker)
                            : new PageReply.Forbidden("not allowed");
                }
            };

    GroupTotalsHandlerTest() throws Exception {
        connection =
                new VisitConnection(
                        new Handler.Sequence(
                                new GroupTotalsHandler(
                                        VisitedApplication.model(),
                                        _ -> reads,
                                        _ -> sender,
                                        settings,
                                        admission),
                                new NotFoundHandler()));
    }

    @BeforeEach
    void put() {
        for (String id :
                List.of(
                        "id:a:music:g=ann:1",
                        "id:a:music:g=ann:2",
                        "id:b:music:g=ann:3",
                        "id:a:music:g=ben:1",
                        "id:a:music:g=cid:1",
                        "id:a:music:g=cid:2",
                        "id:a:music:n=18446744073709551615:1",
                        "id:a:music::1",
                        "id:a:music::2",
                        "id:a:books:g=dora:1")) {
            documents.put(new Document(DocumentId.parse(id), Map.of()), 1);
        }
    }

    @AfterEach
    void stop() throws Exception {
        connection.close();
        assertThat(admission.ranges()).isZero();
    }

    private JsonNode json(String query) throws Exception {
        HttpTester.Response response = connection.send("GET", PATH + query);
        assertThat(response.getStatus()).as(response.getContent()).isEqualTo(200);
        return JSON.readTree(response.getContent());
    }

    private static Principal only(String... groups) {
        return new Principal("some", new Principal.Groups.Only(Set.of(groups)));
    }

    @Test
    void namesTheLargestGroupsFirst() throws Exception {
        assertThat(json("?type=music&limit=2"))
                .hasToString(
                        "{\"types\":[{\"type\":\"music\",\"cluster\":\"content\",\"mode\":\"streaming\","
                                + "\"documents\":9,\"groupCount\":4,\"groups\":["
                                + "{\"group\":\"ann\",\"documents\":3},"
                                + "{\"group\":\"cid\",\"documents\":2}]}]}");
    }

    @Test
    void listsAllTypesAndNumbersAsTexts() throws Exception {
        JsonNode all = json("");

        assertThat(all.path("types").valueStream().map(type -> type.path("type").asString()))
                .containsExactly("music", "books", "labels");
        assertThat(all.at("/types/0/groups/3"))
                .hasToString("{\"number\":\"18446744073709551615\",\"documents\":1}");
        assertThat(all.at("/types/1/documents").asInt()).isEqualTo(1);
        assertThat(all.at("/types/2"))
                .hasToString(
                        "{\"type\":\"labels\",\"cluster\":\"content\",\"mode\":\"index\","
                                + "\"documents\":0,\"groupCount\":0,\"groups\":[]}");
        assertThat(all.has("complete")).isFalse();
    }

    @Test
    void countsOneGroup() throws Exception {
        JsonNode cid = json("?group=cid");

        assertThat(cid.at("/types/0/documents").asInt()).isEqualTo(2);
        assertThat(cid.at("/types/0/groups")).hasToString("[{\"group\":\"cid\",\"documents\":2}]");
        assertThat(cid.at("/types/1/groups")).isEmpty();
        assertThat(cid.has("nearest")).isFalse();
        assertThat(read).noneMatch(SelectedPlaces::isEverywhere);
    }

    @Test
    void namesTheGroupThatAnUnknownOneResembles() throws Exception {
        assertThat(json("?group=dorra").path("nearest").asString()).isEqualTo("dora");
        assertThat(json("?group=somebody").has("nearest")).isFalse();
    }

    @Test
    void showsASenderItsOwnGroupsAlone() throws Exception {
        sender = only("ben", "cid", "nobody");

        JsonNode all = json("?limit=1000");

        assertThat(all.at("/types/0/documents").asInt()).isEqualTo(3);
        assertThat(all.at("/types/0/groupCount").asInt()).isEqualTo(2);
        assertThat(all.at("/types/0/groups").toString()).doesNotContain("ann", "number");
        assertThat(all.at("/types/1/documents").asInt()).isZero();
        assertThat(read).noneMatch(SelectedPlaces::isEverywhere);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ann",
                "anm",
                "' or true or id.group=='",
                "ben' or id.group=='ann",
                "ben\\' or id.group==\\'ann",
                "*"
            })
    void revealsNothingOfOtherGroups(String group) throws Exception {
        sender = only("ben");

        JsonNode all =
                json(
                        "?group="
                                + java.net.URLEncoder.encode(
                                        group, java.nio.charset.StandardCharsets.UTF_8));

        assertThat(all.toString()).doesNotContain("ann").contains("\"documents\":0");
    }

    @Test
    void readsGroupsWithSignsInTheirNames() throws Exception {
        documents.put(new Document(DocumentId.parse("id:a:books:g=o'neil\\*:1"), Map.of()), 1);

        assertThat(json("?group=o%27neil%5C*").at("/types/1/groups"))
                .hasToString("[{\"group\":\"o'neil\\\\*\",\"documents\":1}]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    ?type=musik      | there is no document type 'musik'; did you mean 'music'?
                    ?limit=1001      | '1001' of 'limit' is not a whole number from 0 to 1000
                    ?limit=-1        | '-1' of 'limit' is not a whole number from 0 to 1000
                    ?limit=many      | 'many' of 'limit' is not a whole number from 0 to 1000
                    ?group=          | the parameter 'group' has no value
                    """)
    void rejectsWrongParameters(String query, String message) throws Exception {
        HttpTester.Response response = connection.send("GET", PATH + query);

        assertThat(response.getStatus()).isEqualTo(400);
        assertThat(JSON.readTree(response.getContent()).path("message").asString())
                .isEqualTo(message);
    }

    @Test
    void saysWhenTimeIsUp() throws Exception {
        documents.answerInstead(page ->
                page == 3
                        ? Optional.of(new PageReply.Answered(new VisitReply.TimedOut()))
                        : Optional.empty());

        assertThat(json("").path("complete").asBoolean(true)).isFalse();
    }

    @Test
    void passesOnWhyANodeDoesNotAnswer() throws Exception {
        documents.answerInstead(
                _ -> Optional.of(new PageReply.Answered(new VisitReply.Overloaded("busy"))));

        HttpTester.Response response = connection.send("GET", PATH);

        assertThat(response.getStatus()).isEqualTo(429);
        assertThat(response.get("Retry-After")).isEqualTo("1");
    }

    @Test
    void waitsForOtherVisits() throws Exception {
        HttpTester.Response response;
        try (VisitAdmission.Share _ = admission.admit("others", 4)) {
            response = connection.send("GET", PATH);
        }

        assertThat(response.getStatus()).isEqualTo(429);
        assertThat(read).isEmpty();
    }

    @Test
    void refusesOtherMethodsAndPassesOtherPathsOn() throws Exception {
        HttpTester.Response response = connection.send("DELETE", PATH);

        assertThat(response.getStatus()).isEqualTo(405);
        assertThat(response.get("Allow")).isEqualTo("GET, HEAD");
        assertThat(connection.send("GET", PATH + "/ann").getStatus()).isEqualTo(404);
        assertThat(read).isEmpty();
    }
}
