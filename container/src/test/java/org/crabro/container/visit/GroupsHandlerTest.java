package org.crabro.container.visit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.container.document.WriteResult;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.crabro.document.select.SelectedPlaces;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.visit.VisitedGroup;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import org.eclipse.jetty.http.HttpTester;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Talks HTTP to the handler in memory; each partition has one page, and documents are in a map. */
class GroupsHandlerTest {
    private static final String GROUPS = "/document/v1/ns/music/group";
    private static final String ANNA = GROUPS + "/anna";
    private static final JsonMapper JSON = JsonMapper.shared();

    private final PagedDocuments documents = new PagedDocuments(VisitedApplication.types());
    private final VisitSettings settings = new VisitSettings(4, 4, 7, 100_000);
    private final VisitAdmission admission = new VisitAdmission(settings);
    private final List<VisitRequest> asked = new ArrayList<>();
    private final List<String> removed = new ArrayList<>();
    private WriteReply removal = new WriteReply.Stored(1, new PartitionPosition(0, 1));
    private Optional<VisitReply> instead = Optional.empty();
    private final VisitConnection connection;

    /** Answers requests for groups with two groups of each partition. */
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
                    VisitRequest request = maker.request(new RequestHeader(principal, 1, deadline));
                    if (!(request.form() instanceof VisitForm.Groups(var kind))) {
                        return documents.read(principal, deadline, places, maker);
                    }
                    asked.add(request);
                    return new PageReply.Answered(
                            instead.orElseGet(() -> page(request.scope().partition(), kind)));
                }
            };

    private static VisitReply page(int partition, VisitForm.GroupKind kind) {
        LocationKey key =
                switch (kind) {
                    case NAMED -> new LocationKey.Group("g" + partition);
                    case NUMBERED -> new LocationKey.Numbered(-1 - partition);
                    case PLAIN -> new LocationKey.Plain();
                };
        return new VisitReply.Page(
                new VisitReply.Contents.Groups(
                        List.of(new VisitedGroup(key, 10 + partition, 1_000))),
                1,
                Optional.empty(),
                1);
    }

    GroupsHandlerTest() throws Exception {
        connection =
                new VisitConnection(
                        VisitConnection.handler(
                                reads,
                                VisitConnection.NO_WRITES,
                                (_, _, type, group) -> {
                                    removed.add(type + " " + group.text());
                                    return new WriteResult.Answered(removal);
                                },
                                Duration.ofSeconds(30),
                                settings,
                                admission));
    }

    @AfterEach
    void stop() throws Exception {
        connection.close();
        assertThat(admission.ranges()).isZero();
    }

    private HttpTester.Response send(String method, String target) throws Exception {
        return connection.send(method, target);
    }

    private JsonNode json(String target) throws Exception {
        HttpTester.Response response = send("GET", target);
        assertThat(response.getStatus()).as(response.getContent()).isEqualTo(200);
        return JSON.readTree(response.getContent());
    }

    private void put(String id) {
        documents.put(new Document(DocumentId.parse(id), Map.of()), 1);
    }

    @Test
    void listsGroupsByPages() throws Exception {
        int partitions = documents.partitions().count();

        JsonNode first = json(GROUPS + "/?wantedGroupCount=10");
        JsonNode second = json(GROUPS + "?continuation=" + first.get("continuation").asString());

        assertThat(first.get("pathId").asString()).isEqualTo(GROUPS + "/");
        assertThat(first.get("groupCount").asInt()).isEqualTo(10);
        assertThat(first.get("groups")).hasSize(10);
        assertThat(first.get("groups").get(0))
                .hasToString("{\"group\":\"g0\",\"documentCount\":10,\"bytes\":1000}");
        assertThat(second.get("groupCount").asInt()).isEqualTo(partitions - 10);
        assertThat(second.has("continuation")).isFalse();
        assertThat(asked)
                .allMatch(request -> request.fields().keySet().equals(java.util.Set.of("music")));
        assertThat(asked.getFirst().scope().selection()).isEqualTo("id.namespace=='ns'");
    }

    @Test
    void writesNumbersAsTheyAreInPaths() throws Exception {
        JsonNode body = json("/document/v1/ns/music/number?wantedGroupCount=1&tracelevel=1");

        assertThat(body.get("groups").get(0).get("number").asString())
                .isEqualTo("18446744073709551615");
        assertThat(body.get("trace").get(0).get("message").asString()).contains("1 groups");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET | ?wantedGroupCount=0 | 400 | 'wantedGroupCount'",
                "GET | ?wantedGroupCount=10001 | 400 | 10000",
                "GET | ?wantedDocumentCount=1 | 400 | may not specify 'wantedDocumentCount'",
                "GET | ?slices=2&sliceId=0 | 400 | may not specify 'slices'",
                "GET | ?selection=music.nothing==1 | 400 | nothing",
                "GET | ?continuation=x | 400 | continuation",
                "GET | ?cluster=none | 400 | no content cluster 'none'",
                "POST | | 405 | Allowed methods are: GET",
                "DELETE | ?wholeGroup=true | 405 | Allowed methods are: GET",
                "DELETE | /anna | 400 | must specify 'cluster'",
                "DELETE | /anna?cluster=content | 400 | must specify 'selection'",
                "DELETE | /anna?wholeGroup=yes | 400 | must specify 'cluster'",
                "DELETE | /anna?wholeGroup=true&selection=true | 400 | may not specify 'selection'",
                "DELETE | /anna?wholeGroup=true&dryRun=true | 400 | may not specify 'dryRun'",
                "DELETE | /anna?wholeGroup=true&cluster=none | 400 | no content cluster 'none'",
            })
    void saysWhatIsWrong(String method, String query, int status, String message) throws Exception {
        HttpTester.Response response = send(method, GROUPS + Optional.ofNullable(query).orElse(""));

        assertThat(response.getStatus()).as(response.getContent()).isEqualTo(status);
        assertThat(JSON.readTree(response.getContent()).get("message").asString())
                .contains(message);
        assertThat(removed).isEmpty();
    }

    @Test
    void returnsTheAnswerOfANode() throws Exception {
        instead = Optional.of(new VisitReply.TimedOut());
        assertThat(send("GET", GROUPS).getStatus()).isEqualTo(504);
        instead = Optional.of(new VisitReply.Failed("a damaged file"));
        HttpTester.Response failed = send("GET", GROUPS);
        assertThat(failed.getStatus()).isEqualTo(500);
        assertThat(failed.getContent()).contains("a damaged file");
        instead = Optional.of(new VisitReply.Overloaded("too many pages"));
        HttpTester.Response busy = send("GET", GROUPS);
        assertThat(busy.getStatus()).isEqualTo(429);
        assertThat(busy.get("Retry-After")).isEqualTo("1");
        instead = Optional.of(new VisitReply.Unavailable("node 1 is away"));
        HttpTester.Response away = send("GET", GROUPS);
        assertThat(away.getStatus()).isEqualTo(503);
        assertThat(away.get("Retry-After")).isEqualTo("1");
    }

    @Test
    void removesAWholeGroup() throws Exception {
        put("id:ns:music:g=anna:1");
        put("id:other:music:g=bert:1");

        HttpTester.Response response = send("DELETE", ANNA + "/?wholeGroup=true");
        send("DELETE", "/document/v1/ns/music/number/7?wholeGroup=TRUE&cluster=content");

        assertThat(response.getStatus()).isEqualTo(200);
        assertThat(response.getContent()).isEqualTo("{\"pathId\":\"" + ANNA + "/\"}");
        assertThat(removed).containsExactly("music g=anna", "music n=7");
    }

    @Test
    void leavesDocumentsOfOtherNamespaces() throws Exception {
        put("id:ns:music:g=anna:1");
        put("id:other:music:g=anna:1");

        HttpTester.Response response = send("DELETE", ANNA + "?wholeGroup=true");
        assertThat(response.getStatus()).isEqualTo(400);
        assertThat(response.getContent()).contains("id:other:music:g=anna:1", "allNamespaces=true");
        assertThat(removed).isEmpty();

        assertThat(send("DELETE", ANNA + "?wholeGroup=true&allNamespaces=true").getStatus())
                .isEqualTo(200);
        assertThat(removed).containsExactly("music g=anna");
    }

    @ParameterizedTest
    @CsvSource({
        "/document/v1/ns/music/docid?wholeGroup=true",
        "/document/v1/?wholeGroup=true",
    })
    void removesNothingWithoutAGroup(String target) throws Exception {
        HttpTester.Response response = send("DELETE", target);

        assertThat(response.getStatus()).isEqualTo(400);
        assertThat(response.getContent()).contains("names no group");
        assertThat(removed).isEmpty();
    }

    @Test
    void saysWhyAGroupIsStillThere() throws Exception {
        removal = new WriteReply.Overloaded(Duration.ofSeconds(1));
        HttpTester.Response busy = send("DELETE", ANNA + "?wholeGroup=true");
        assertThat(busy.getStatus()).isEqualTo(429);
        assertThat(busy.get("Retry-After")).isEqualTo("1");
        removal = new WriteReply.Failed("a damaged file");
        assertThat(send("DELETE", ANNA + "?wholeGroup=true").getStatus()).isEqualTo(500);
        removal = new WriteReply.Unavailable("node 1 is away");
        HttpTester.Response away = send("DELETE", ANNA + "?wholeGroup=true");
        assertThat(away.getStatus()).isEqualTo(503);
        assertThat(away.get("Retry-After")).isEqualTo("1");
        removal = new WriteReply.OutcomeUnknown("node 1 was reset");
        HttpTester.Response lost = send("DELETE", ANNA + "?wholeGroup=true");
        assertThat(lost.getStatus()).isEqualTo(504);
        assertThat(lost.getContent()).contains("outcome unknown");
        removal = new WriteReply.TimedOut();
        assertThat(send("DELETE", ANNA + "?wholeGroup=true").getStatus()).isEqualTo(504);
        removal = new WriteReply.OutOfSpace("full");
        assertThat(send("DELETE", ANNA + "?wholeGroup=true").getStatus()).isEqualTo(507);
    }
}
