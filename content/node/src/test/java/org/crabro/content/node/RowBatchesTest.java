package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.crabro.content.search.execution.Mails;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.WriteCondition;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.feed.WriteRequest;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RowBatchesTest {
    private static final DocumentId ONE = DocumentId.parse("id:post:mail:g=anna:1");
    private static final DocumentId TWO = DocumentId.parse("id:post:mail:g=bob:2");
    private static final DocumentId THREE = DocumentId.parse("id:post:mail::3");

    @RegisterExtension final FaultyLogFiles files = new FaultyLogFiles(new Random(1));

    @Test
    void carriesOutManyTogetherThoseOfOneDocumentInTheirOrder() throws IOException {
        try (NodeFixture node = open()) {
            List<WriteReply> replies =
                    feed(
                            node,
                            put(ONE, "first"),
                            put(TWO, "second"),
                            put(THREE, "third"),
                            put(ONE, "last"),
                            remove(TWO));

            assertThat(replies).hasSize(5).allMatch(WriteReply.Stored.class::isInstance);
            assertThat(StoredMails.title(node, ONE)).contains("last");
            assertThat(StoredMails.title(node, TWO)).isEmpty();
            assertThat(StoredMails.title(node, THREE)).contains("third");
        }
    }

    @Test
    void keepsWhatWasAnsweredAcrossARestart() throws IOException {
        try (NodeFixture node = open()) {
            feed(node, put(ONE, "kept"), put(TWO, "kept, too"));
        }

        try (NodeFixture node = open()) {
            assertThat(StoredMails.title(node, ONE)).contains("kept");
            assertThat(StoredMails.title(node, TWO)).contains("kept, too");
        }
    }

    @Test
    void rejectsInvalidRowsAndWritesTheOthers() throws IOException {
        Write.Row whole = put(ONE, "x");
        byte[] cut = Arrays.copyOf(whole.bytes(), whole.bytes().length - 1);
        byte[] unknown = whole.bytes().clone();
        unknown[0]++;
        byte[] group = RowEncoding.groupTombstone(Mails.TYPE, new LocationKey.Group("anna"));
        DocumentId other = DocumentId.parse("id:post:other::1");
        try (NodeFixture node = open()) {
            List<WriteReply> replies =
                    feed(
                            node,
                            new Write.Row(partition(ONE), ONE, cut),
                            new Write.Row(partition(ONE), ONE, unknown),
                            new Write.Row(partition(ONE) ^ 1, ONE, whole.bytes()),
                            new Write.Row(partition(ONE), ONE, group),
                            new Write.Row(partition(other), other, encoded(other, "x", Mails.TYPE)),
                            put(THREE, "stored"));

            assertThat(replies.subList(0, 5)).allMatch(WriteReply.Rejected.class::isInstance);
            assertThat(replies.get(5)).isInstanceOf(WriteReply.Stored.class);
            assertThat(StoredMails.title(node, ONE)).isEmpty();
            assertThat(StoredMails.title(node, THREE)).contains("stored");
        }
    }

    @Test
    void writesNothingForASenderWhoKnowsANewerState() throws IOException {
        try (NodeFixture node = open()) {
            var header = new RequestHeader(Principal.EVERYONE, 99, node.header().deadline());

            List<WriteReply> replies =
                    node.node().write(new WriteRequest(header, List.of(put(ONE, "x"))));

            assertThat(replies).containsExactly(new WriteReply.WrongOwner(1));
            assertThat(StoredMails.title(node, ONE)).isEmpty();
        }
    }

    @Test
    void writesRowsWithoutConditionsFirstAndTheOthersInOrder() throws IOException {
        WriteCondition isFirst = WriteCondition.of("mail.title == \"first\"");
        WriteCondition isSecond = WriteCondition.of("mail.title == \"second\"");
        try (NodeFixture node = open()) {
            List<WriteReply> replies =
                    node.node()
                            .write(
                                    new WriteRequest(
                                            node.header(),
                                            List.of(
                                                    put(ONE, "second", isFirst),
                                                    remove(TWO, isSecond),
                                                    put(ONE, "third", isSecond),
                                                    put(THREE, "stored"),
                                                    put(ONE, "first"))));

            assertThat(replies)
                    .map(reply -> reply.getClass().getSimpleName())
                    .containsExactly("Stored", "ConditionNotMet", "Stored", "Stored", "Stored");
            assertThat(StoredMails.title(node, ONE)).contains("third");
            assertThat(StoredMails.title(node, THREE)).contains("stored");
        }
    }

    private static Write.Row put(DocumentId id, String title, WriteCondition condition) {
        Write.Row row = put(id, title);
        return new Write.Row(row.partition(), id, row.bytes(), condition, false);
    }

    private static Write.Operation remove(DocumentId id, WriteCondition condition) {
        return new Write.Operation(
                partition(id),
                new ConditionalOperation(new DocumentOperation.Remove(id), condition, false));
    }

    private NodeFixture open() throws IOException {
        return NodeFixture.open(NodeFixture.small(), files).serving(StoredMails.model());
    }

    private static List<WriteReply> feed(NodeFixture node, Write.Row... writes) {
        return node.node().write(new WriteRequest(node.header(), List.of(writes)));
    }

    private static Write.Row put(DocumentId id, String title) {
        return new Write.Row(partition(id), id, encoded(id, title, Mails.TYPE));
    }

    private static byte[] encoded(DocumentId id, String title, DocumentType type) {
        return RowEncoding.encode(
                new Row(
                        id,
                        0,
                        type.fingerprint(),
                        false,
                        Map.of("title", new FieldValue.StringValue(title))),
                type);
    }

    private static Write.Row remove(DocumentId id) {
        return new Write.Row(
                partition(id),
                id,
                RowEncoding.encode(
                        new Row(id, 0, Mails.TYPE.fingerprint(), true, Map.of()), Mails.TYPE));
    }

    private static int partition(DocumentId id) {
        return NodeFixture.PARTITIONS.of(id.location());
    }
}
