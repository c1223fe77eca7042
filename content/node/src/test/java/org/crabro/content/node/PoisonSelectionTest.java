package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.WriteCondition;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.visit.VisitScope;
import org.crabro.protocol.wire.CancellationToken;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Visits and conditional writes whose selections are expensive in one document. A cancellation
 * replaces the deadline, because its checks can be counted.
 */
class PoisonSelectionTest {
    private static final DocumentType TYPE =
            new DocumentType("note", List.of(new Field("text", FieldType.Primitive.STRING, true)));
    private static final int LENGTH = 50_000;
    private static final int STEPS = 300;
    private static final String SELECTION = "note.text =~ \"a{%d}z\"".formatted(STEPS);

    private static final DocumentId LAST = DocumentId.parse("id:n:note:n=2:2");

    /** The number of checks before the first document is evaluated, and a few more. */
    private static final int QUESTIONS_OUTSIDE = 8;

    @RegisterExtension final FaultyLogFiles files = new FaultyLogFiles(new Random(1));

    private VisitedNode node;

    @BeforeEach
    void feed() throws IOException {
        node = new VisitedNode(files, List.of(TYPE));
        for (int i = 0; i < 3; i++) {
            DocumentId id = DocumentId.parse("id:n:note:n=2:" + i);
            node.put(new Document(id, Map.of("text", new StringValue("a".repeat(LENGTH)))));
        }
    }

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void visitsAskInsideADocument() {
        var questions = new AtomicInteger();

        VisitReply reply =
                node.node().visit(visit(() -> questions.incrementAndGet() < 0, Optional.empty()));

        assertThat(reply).isInstanceOf(VisitReply.Page.class);
        assertThat(questions.get())
                .isGreaterThanOrEqualTo((int) (3L * LENGTH * STEPS / WorkMeter.UNITS));
    }

    @Test
    void visitsEndInsideTheFirstDocument() {
        var questions = new AtomicInteger();

        VisitReply reply =
                node.node()
                        .visit(
                                visit(
                                        () -> questions.incrementAndGet() > QUESTIONS_OUTSIDE,
                                        Optional.empty()));

        assertThat(reply).isEqualTo(new VisitReply.TimedOut());
        assertThat(questions.get()).isLessThan(2 * QUESTIONS_OUTSIDE);
    }

    /**
     * A visit that continues after a page that ended inside a document returns each document once.
     */
    @Test
    void visitsGoOnWithTheDocumentThatTimeWasUpIn() {
        var questions = new AtomicInteger();
        node.node().visit(visit(() -> questions.incrementAndGet() < 0, Optional.empty()));
        int ofOne = questions.getAndSet(0) / 3;

        VisitReply first =
                node.node()
                        .visit(
                                visit(
                                        () -> questions.incrementAndGet() > ofOne + ofOne / 2,
                                        Optional.empty()));

        assertThat(first).isInstanceOf(VisitReply.Page.class);
        Optional<DocumentId> ended = ((VisitReply.Page) first).last();
        assertThat(ended).contains(DocumentId.parse("id:n:note:n=2:0"));
        questions.set(0);
        VisitReply second = node.node().visit(visit(() -> questions.incrementAndGet() < 0, ended));
        assertThat(((VisitReply.Page) second).last()).isEmpty();
        assertThat(questions.get()).isBetween(ofOne + ofOne / 2, 2 * ofOne + ofOne / 2);
    }

    @Test
    void conditionsEndInsideADocument() {
        var questions = new AtomicInteger();
        var deadline =
                new Deadline(
                        Deadline.after(Duration.ofMinutes(5)).nanos(),
                        () -> questions.incrementAndGet() > QUESTIONS_OUTSIDE);

        WriteReply reply =
                node.node()
                        .write(
                                new RequestHeader(Principal.EVERYONE, 1, deadline),
                                new Write.Operation(
                                        NodeFixture.PARTITIONS.of(LAST.location()),
                                        new ConditionalOperation(
                                                new DocumentOperation.Remove(LAST),
                                                WriteCondition.of(SELECTION),
                                                false)),
                                Optional.empty());

        assertThat(reply).isEqualTo(new WriteReply.TimedOut());
    }

    private static VisitRequest visit(CancellationToken cancellation, Optional<DocumentId> after) {
        VisitRequest all = VisitedNode.all(List.of(TYPE), new VisitForm.Ids());
        return new VisitRequest(
                new RequestHeader(
                        Principal.EVERYONE,
                        1,
                        new Deadline(Deadline.after(Duration.ofMinutes(5)).nanos(), cancellation)),
                new VisitScope(
                        NodeFixture.PARTITIONS.of(DocumentId.parse("id:n:note:n=2:0").location()),
                        SELECTION,
                        all.scope().slice(),
                        after,
                        all.scope().fromTimestamp(),
                        all.scope().toTimestamp()),
                all.fields(),
                all.withRemoves(),
                all.form(),
                all.limits());
    }
}
