package org.crabro.container.visit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.container.document.Admission;
import org.crabro.container.document.DocumentSettings;
import org.crabro.container.document.WriteResult;
import org.crabro.container.http.BodyMemory;
import org.crabro.container.http.HttpSettings.BodyTimes;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.feed.WriteReply;
import org.eclipse.jetty.http.HttpTester;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The bodies of updates by selection count for the memory of bodies. */
class SelectionBodiesTest {
    private static final String TARGET =
            "/document/v1/ns/music/docid/?cluster=content&selection=true";
    private static final String UPDATE = "{\"fields\":{\"year\":{\"assign\":1}}}";

    private final PagedDocuments documents = new PagedDocuments(VisitedApplication.types());
    private final VisitSettings settings = new VisitSettings(4, 4, 7, 100_000);
    private final Admission bodies =
            new Admission(
                    new DocumentSettings(1_000, Duration.ofSeconds(30), false, 1, 1_000),
                    BodyTimes.DEFAULT);
    private final AtomicLong countedDuringWrite = new AtomicLong();
    private final VisitConnection connection;

    SelectionBodiesTest() throws Exception {
        connection =
                new VisitConnection(
                        VisitConnection.handler(
                                documents,
                                (_, _, _) -> {
                                    countedDuringWrite.set(bodies.bytes());
                                    return new WriteResult.Answered(
                                            new WriteReply.Stored(9, new PartitionPosition(1, 1)));
                                },
                                VisitConnection.NO_REMOVALS,
                                Duration.ofSeconds(30),
                                settings,
                                new VisitAdmission(settings),
                                bodies));
        documents.put(
                new Document(
                        DocumentId.parse("id:ns:music::1"),
                        Map.of("year", new FieldValue.IntValue(1))),
                5);
    }

    @AfterEach
    void stop() throws Exception {
        connection.close();
        assertThat(bodies.operations()).isZero();
        assertThat(bodies.bytes()).isZero();
    }

    @Test
    void countUntilTheVisitEnds() throws Exception {
        HttpTester.Response updated = connection.sendBody("PUT", TARGET, UPDATE);

        assertThat(updated.getContent()).contains("\"documentCount\":1");
        assertThat(countedDuringWrite).hasValue(UPDATE.length());
    }

    @Test
    void areRefusedWhenThereAreTooMany() throws Exception {
        HttpTester.Response refused;
        try (BodyMemory.Share _ = bodies.admit(1, 1)) {
            refused = connection.sendBody("PUT", TARGET, UPDATE);
        }

        assertThat(refused.getStatus()).isEqualTo(429);
        assertThat(refused.get("Retry-After")).isEqualTo("1");
        assertThat(refused.getContent()).contains("overload: 1 requests already enqueued");
        assertThat(countedDuringWrite).hasValue(0);
    }

    @Test
    void areGivenBackWhenTheyAreWrong() throws Exception {
        assertThat(connection.sendBody("PUT", TARGET, "{\"fields\":1}").getStatus()).isEqualTo(400);
    }
}
