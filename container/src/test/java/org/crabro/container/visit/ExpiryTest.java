package org.crabro.container.visit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.config.services.Services;
import org.crabro.container.document.WriteResult;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.junit.jupiter.api.Test;

class ExpiryTest {
    private static final Duration INTERVAL = Duration.ofSeconds(160);
    private static final Duration STEP = Duration.ofSeconds(10);

    private final PagedDocuments documents = new PagedDocuments(VisitedApplication.types());
    private final List<DocumentId> removed = new ArrayList<>();
    private Instant now = Instant.ofEpochSecond(1_600_000_000);
    private final Expiry expiry =
            new Expiry(BackgroundAccess.one(documents, this::write), () -> now);

    ExpiryTest() {
        for (int i = 0; i < 1_000; i++) {
            put("id:ns:music::" + i, Optional.of(i));
        }
        put("id:ns:music::unset", Optional.empty());
        put("id:ns:books::1", Optional.of(1));
    }

    private void put(String id, Optional<Integer> year) {
        Map<String, FieldValue> fields =
                year.isPresent() ? Map.of("year", new FieldValue.IntValue(year.get())) : Map.of();
        documents.put(new Document(DocumentId.parse(id), fields), 7);
    }

    private synchronized WriteResult write(
            Principal principal, Deadline deadline, ConditionalOperation write) {
        assertThat(write.operation()).isInstanceOf(DocumentOperation.Remove.class);
        assertThat(write.condition().timestamp()).hasValue(7);
        removed.add(write.id());
        documents.remove(write.id(), 8);
        return new WriteResult.Answered(new WriteReply.Stored(8, new PartitionPosition(0, 1)));
    }

    private static ApplicationModel model(String selection) {
        return new ApplicationModel(
                1,
                new Services(
                        List.of(),
                        List.of(
                                new ContentCluster(
                                        "content",
                                        List.of(
                                                new ClusterDocument(
                                                        "music", Mode.STREAMING, false, selection),
                                                new ClusterDocument("books", Mode.STREAMING)),
                                        ContentCluster.ResourceLimits.NONE,
                                        Optional.empty(),
                                        Optional.of(INTERVAL)))),
                Map.of("music", VisitedApplication.MUSIC, "books", VisitedApplication.BOOKS));
    }

    private void pass() {
        for (int i = 0; i < Partitions.DEFAULT.count(); i++) {
            now = now.plus(STEP);
            expiry.tick();
        }
    }

    @Test
    void removesWhatTheSelectionIsFalseOfWithinAnInterval() {
        expiry.serve(model("music.year >= 900"));

        pass();

        assertThat(new HashSet<>(removed)).hasSize(900);
        assertThat(removed).hasSize(900).allMatch(id -> id.documentType().equals("music"));
        // The selection does not apply to a document without a year.
        assertThat(removed).doesNotContain(DocumentId.parse("id:ns:music::unset"));
    }

    @Test
    void looksAtOnePartitionAtATime() {
        expiry.serve(model("music.year >= 900"));
        expiry.tick();
        int first = removed.size();
        expiry.tick();

        assertThat(first).isBetween(1, 200);
        assertThat(removed).hasSize(first);
        assertThat(removed)
                .allMatch(id ->
                        Partitions.DEFAULT.of(id.location())
                                == Partitions.DEFAULT.of(removed.getFirst().location()));
        now = now.plus(STEP);
        expiry.tick();
        assertThat(removed.size()).isBetween(first + 1, first + 200);
    }

    @Test
    void makesUpForTurnsThatWereMissedOnce() {
        expiry.serve(model("music.year >= 900"));
        expiry.tick();
        int before = documents.pages();

        now = now.plus(Duration.ofDays(3));
        expiry.tick();

        assertThat(removed).hasSize(900);
        assertThat(documents.pages() - before).isEqualTo(Partitions.DEFAULT.count());
    }

    @Test
    void anotherProcessGoesOnWhereTheClockIs() {
        expiry.serve(model("music.year >= 900"));
        for (int i = 0; i < 8; i++) {
            expiry.tick();
            now = now.plus(STEP);
        }
        var next = new Expiry(BackgroundAccess.one(documents, this::write), () -> now);
        next.serve(model("music.year >= 900"));
        for (int i = 0; i < 8; i++) {
            next.tick();
            now = now.plus(STEP);
        }

        assertThat(removed).hasSize(900);
    }

    @Test
    void looksAtNothingWhereNothingExpires() {
        pass();
        expiry.serve(model(""));
        pass();
        expiry.serve(model("music.year >= 900"));
        expiry.stop();
        pass();

        assertThat(documents.pages()).isZero();
    }

    @Test
    void triesAgainAndGivesUpInTheEnd() {
        expiry.serve(model("music.year >= 900"));
        documents.answerInstead(page ->
                page % 2 == 1
                        ? Optional.of(new PageReply.Answered(new VisitReply.TimedOut()))
                        : Optional.empty());
        pass();
        assertThat(removed).hasSize(900);

        int before = documents.pages();
        documents.answerInstead(
                _ -> Optional.of(new PageReply.Answered(new VisitReply.Overloaded("busy"))));
        now = now.plus(STEP);
        expiry.tick();
        assertThat(documents.pages() - before).isEqualTo(10);
    }
}
