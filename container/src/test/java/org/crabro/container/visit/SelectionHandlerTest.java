package org.crabro.container.visit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.crabro.container.document.WriteResult;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.http.HttpTester;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Removes selected documents from a map. */
class SelectionHandlerTest {
    private static final String ROOT = "/document/v1/?cluster=content&selection=";
    private static final int DOCUMENTS = 600;

    private final PagedDocuments documents = new PagedDocuments(VisitedApplication.types());
    private final Map<DocumentId, Long> timestamps = new ConcurrentHashMap<>();
    private final VisitSettings settings = new VisitSettings(4, 4, 7, 100_000);
    private final VisitAdmission admission = new VisitAdmission(settings);
    private final VisitConnection connection;
    private final AtomicInteger writes = new AtomicInteger();

    /** Replaces answers of the map; called with the number of the write from 1. */
    private volatile IntFunction<Optional<WriteReply>> instead = _ -> Optional.empty();

    SelectionHandlerTest() throws Exception {
        connection =
                new VisitConnection(
                        VisitConnection.handler(
                                documents,
                                this::write,
                                VisitConnection.NO_REMOVALS,
                                Duration.ofSeconds(30),
                                settings,
                                admission));
        for (int i = 0; i < DOCUMENTS; i++) {
            put("id:ns:music::" + i, i, 1_000 + i);
        }
        put("id:ns:books::1", 1, 5_000);
    }

    @AfterEach
    void stop() throws Exception {
        connection.close();
        assertThat(admission.ranges()).isZero();
    }

    private void put(String id, int year, long timestamp) {
        DocumentId parsed = DocumentId.parse(id);
        timestamps.put(parsed, timestamp);
        documents.put(
                new Document(parsed, Map.of("year", new FieldValue.IntValue(year))), timestamp);
    }

    private WriteResult write(Principal principal, Deadline deadline, ConditionalOperation write) {
        Optional<WriteReply> reply = instead.apply(writes.incrementAndGet());
        if (reply.isPresent()) {
            return new WriteResult.Answered(reply.get());
        }
        DocumentId id = write.id();
        if (write.condition().timestamp().orElseThrow() != timestamps.getOrDefault(id, 0L)) {
            return new WriteResult.Answered(new WriteReply.ConditionNotMet(true));
        }
        switch (write.operation()) {
            case DocumentOperation.Remove _ -> documents.remove(id, 9_000);
            case DocumentOperation.Put(Document document) -> {
                assertThat(documents.newest(id).orElseThrow().document()).contains(document);
                timestamps.put(id, 9_000L);
                documents.put(document, 9_000);
            }
            case DocumentOperation.Update update -> throw new AssertionError(update);
        }
        return new WriteResult.Answered(new WriteReply.Stored(9_000, new PartitionPosition(1, 1)));
    }

    private HttpTester.Response request(String method, String target) throws Exception {
        return connection.send(method, target);
    }

    private static String body(int count) {
        return "{\"pathId\":\"/document/v1/\",\"documentCount\":" + count + "}";
    }

    @Test
    void removesWhatIsSelected() throws Exception {
        HttpTester.Response none = request("DELETE", ROOT + "music.year%3C0");
        HttpTester.Response some = request("DELETE", ROOT + "music.year%3C500");
        HttpTester.Response again = request("DELETE", ROOT + "music.year%3C500");
        HttpTester.Response path =
                request("DELETE", "/document/v1/ns/music/docid/?cluster=content&selection=true");
        HttpTester.Response all = request("DELETE", ROOT + "true");

        assertThat(none.getContent()).isEqualTo(body(0));
        assertThat(some.getStatus()).isEqualTo(200);
        assertThat(some.getContent()).isEqualTo(body(500));
        assertThat(again.getContent()).isEqualTo(body(0));
        assertThat(path.getContent()).contains("\"documentCount\":100}");
        assertThat(all.getContent()).isEqualTo(body(1));
    }

    @Test
    void copiesWhatIsSelectedWithAllOfItsValues() throws Exception {
        String copy = ROOT + "music.year%3C500&destinationCluster=content";

        assertThat(request("POST", copy).getContent()).isEqualTo(body(500));
        assertThat(timestamps.values()).filteredOn(each -> each == 9_000).hasSize(500);
    }

    @ParameterizedTest
    @ValueSource(strings = {"DELETE", "POST"})
    void leavesWhatChangedSinceItWasSeen(String method) throws Exception {
        timestamps.put(DocumentId.parse("id:ns:music::7"), 7_777L);

        assertThat(request(method, ROOT + "music&destinationCluster=content").getContent())
                .isEqualTo(body(DOCUMENTS - 1));
    }

    @Test
    void goesOnWhereAnAnswerEndedForLackOfTime() throws Exception {
        documents.answerInstead(page ->
                page == 8
                        ? Optional.of(new PageReply.Answered(new VisitReply.TimedOut()))
                        : Optional.empty());

        String first = request("DELETE", ROOT + "true&tracelevel=3").getContent();
        String token = first.replaceAll(".*\"continuation\":\"([^\"]*)\".*", "$1");
        String second = request("DELETE", ROOT + "true&continuation=" + token).getContent();

        assertThat(first).contains("\"trace\":[{\"message\":");
        assertThat(count(first)).isPositive();
        assertThat(count(first) + count(second)).isEqualTo(DOCUMENTS + 1);
        assertThat(second).doesNotContain("continuation");
    }

    private static int count(String body) {
        return Integer.parseInt(body.replaceAll(".*\"documentCount\":([0-9]+).*", "$1"));
    }

    @Test
    void waitsWhileANodeHasTooMuchToWrite() throws Exception {
        instead =
                write ->
                        write % 3 == 0
                                ? Optional.of(new WriteReply.Overloaded(Duration.ofMillis(1)))
                                : Optional.empty();

        assertThat(request("DELETE", ROOT + "true").getContent()).isEqualTo(body(DOCUMENTS + 1));
    }

    @Test
    void endsWhereAWriteFails() throws Exception {
        for (var failure :
                List.of(
                        Map.entry(500, new WriteReply.Failed("disk is gone")),
                        Map.entry(507, new WriteReply.OutOfSpace("disk is full")),
                        Map.entry(504, new WriteReply.TimedOut()),
                        Map.entry(429, new WriteReply.Overloaded(Duration.ofHours(1))))) {
            instead = _ -> Optional.of(failure.getValue());
            HttpTester.Response response = request("DELETE", ROOT + "true");

            assertThat(response.getStatus()).isEqualTo(failure.getKey());
            assertThat(response.getContent())
                    .startsWith(
                            "{\"pathId\":\"/document/v1/\",\"documentCount\":0,\"message\":\"id:")
                    .doesNotContain("continuation");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    DELETE | /document/v1/?selection=true     | must specify 'cluster'
                    DELETE | /document/v1/?cluster=content    | must specify 'selection'
                    DELETE | /document/v1/?cluster=x&selection=true | no content cluster 'x'
                    DELETE | /document/v1/?cluster=content&selection=true&wantedDocumentCount=3 | may not specify 'wantedDocumentCount'
                    DELETE | /document/v1/?cluster=content&selection=true&concurrency=3 | may not specify 'concurrency'
                    DELETE | /document/v1/?cluster=content&selection=true&fieldSet=music:year | may not specify 'fieldSet'
                    DELETE | /document/v1/?cluster=content&selection=true&route=default | may not specify 'route'
                    DELETE | /document/v1/?cluster=content&selection=true&dryRun=true | may not specify 'dryRun'
                    DELETE | /document/v1/?cluster=content&selection=music.x%3D%3D1 | x
                    DELETE | /document/v1/?cluster=content&selection=true&continuation=xx | cannot be used
                    POST   | /document/v1/?cluster=content&selection=true | must specify 'destinationCluster'
                    POST   | /document/v1/?cluster=content&selection=true&destinationCluster=x | no content cluster 'x', only 'content', 'archive'
                    POST   | /document/v1/?cluster=content&selection=true&destinationCluster=archive | There is no document type
                    """)
    void refuses(String method, String target, String message) throws Exception {
        HttpTester.Response response = request(method, target);

        assertThat(response.getStatus()).isEqualTo(400);
        assertThat(response.getContent())
                .startsWith("{\"pathId\":\"/document/v1/\",\"message\":\"")
                .contains(message);
        assertThat(writes.get()).isZero();
    }
}
