package org.crabro.content;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.crabro.content.journal.MemoryLogFiles;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.protocol.visit.PageLimits;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.visit.VisitScope;
import org.crabro.protocol.visit.VisitSlice;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import org.junit.jupiter.api.Test;

/** Pages of a visit of one group, which end at any moment. */
class EndedPagesTest {
    private static final DocumentType NOTE =
            new DocumentType("note", List.of(new Field("year", FieldType.Primitive.INT, true)));
    private static final int GROUPS = 40;
    private static final int DOCUMENTS = 3;

    /** After this many questions, the pages of this test are complete. */
    private static final int QUESTIONS = 60;

    /**
     * Most rows of the group are in a block that is skipped, with rows of other groups before them.
     * The last document of a page is sent to the client, in a token.
     */
    @Test
    void aPageThatEndsEarlyNamesNoDocumentOfAnotherGroup() throws IOException {
        try (var node = new VisitedNode(new MemoryLogFiles(), List.of(NOTE))) {
            for (int i = 0; i < DOCUMENTS; i++) {
                put(node, i, 1);
            }
            node.node().flush();
            put(node, DOCUMENTS, 100);
            node.node().flush();
            int early = 0;
            for (int group = 0; group < GROUPS; group++) {
                for (int questions = 0; questions < QUESTIONS; questions++) {
                    if (node.node().visit(request(group, questions)) instanceof VisitReply.Page page
                            && page.last().isPresent()) {
                        early++;
                        assertThat(page.last().get().key())
                                .as("%d questions", questions)
                                .isEqualTo(new LocationKey.Group("group" + group));
                    }
                }
            }
            assertThat(early).isPositive();
        }
    }

    private static void put(VisitedNode node, int number, int year) {
        for (int group = 0; group < GROUPS; group++) {
            node.put(
                    new Document(
                            DocumentId.parse("id:a:note:g=group%d:%d".formatted(group, number)),
                            Map.of("year", new FieldValue.IntValue(year))));
        }
    }

    /** Returns a visit that is cancelled after a number of questions whether it is. */
    private static VisitRequest request(int group, int questions) {
        var left = new AtomicInteger(questions);
        long end = Deadline.after(Duration.ofMinutes(1)).nanos();
        return new VisitRequest(
                new RequestHeader(
                        Principal.EVERYONE,
                        1,
                        new Deadline(end, () -> left.getAndDecrement() <= 0)),
                new VisitScope(
                        NodeFixture.PARTITIONS.of(DocumentId.locationOfGroup("group" + group)),
                        "id.group == \"group%d\" and note.year > 50".formatted(group),
                        VisitSlice.ALL,
                        Optional.empty(),
                        0,
                        Long.MAX_VALUE),
                Map.of("note", List.of("year")),
                false,
                new VisitForm.Ids(),
                new PageLimits(1_000, 1 << 20));
    }
}
