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
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.EncodedWrite;
import org.crabro.protocol.feed.FeedBatchRequest;
import org.crabro.protocol.feed.FeedReply;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class BatchFeedTest {
    private static final DocumentId ONE = DocumentId.parse("id:post:mail:g=anna:1");
    private static final DocumentId TWO = DocumentId.parse("id:post:mail:g=bob:2");
    private static final DocumentId THREE = DocumentId.parse("id:post:mail::3");

    @RegisterExtension final FaultyLogFiles files = new FaultyLogFiles(new Random(1));

    @Test
    void carriesOutManyTogetherThoseOfOneDocumentInTheirOrder() throws IOException {
        try (NodeFixture node = open()) {
            List<FeedReply> replies =
                    feed(
                            node,
                            put(ONE, "first"),
                            put(TWO, "second"),
                            put(THREE, "third"),
                            put(ONE, "last"),
                            remove(TWO));

            assertThat(replies).hasSize(5).allMatch(FeedReply.Stored.class::isInstance);
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
    void refusesWhatIsNoRowOfATypeThatIsServedAndWritesTheRest() throws IOException {
        EncodedWrite whole = put(ONE, "x");
        byte[] cut = Arrays.copyOf(whole.row(), whole.row().length - 1);
        byte[] unknown = whole.row().clone();
        unknown[0]++;
        byte[] group = RowEncoding.groupTombstone(Mails.TYPE, new LocationKey.Group("anna"));
        DocumentId other = DocumentId.parse("id:post:other::1");
        try (NodeFixture node = open()) {
            List<FeedReply> replies =
                    feed(
                            node,
                            new EncodedWrite(partition(ONE), ONE, cut),
                            new EncodedWrite(partition(ONE), ONE, unknown),
                            new EncodedWrite(partition(ONE) ^ 1, ONE, whole.row()),
                            new EncodedWrite(partition(ONE), ONE, group),
                            new EncodedWrite(
                                    partition(other), other, encoded(other, "x", Mails.TYPE)),
                            put(THREE, "stored"));

            assertThat(replies.subList(0, 5)).allMatch(FeedReply.Rejected.class::isInstance);
            assertThat(replies.get(5)).isInstanceOf(FeedReply.Stored.class);
            assertThat(StoredMails.title(node, ONE)).isEmpty();
            assertThat(StoredMails.title(node, THREE)).contains("stored");
        }
    }

    @Test
    void writesNothingForASenderWhoKnowsANewerState() throws IOException {
        try (NodeFixture node = open()) {
            var header = new RequestHeader(Principal.EVERYONE, 99, node.header().deadline());

            List<FeedReply> replies =
                    node.node()
                            .feed(new FeedBatchRequest(header, List.of(put(ONE, "x"))))
                            .replies();

            assertThat(replies).containsExactly(new FeedReply.WrongOwner(1));
            assertThat(StoredMails.title(node, ONE)).isEmpty();
        }
    }

    private NodeFixture open() throws IOException {
        return NodeFixture.open(NodeFixture.small(), files).serving(StoredMails.model());
    }

    private static List<FeedReply> feed(NodeFixture node, EncodedWrite... writes) {
        return node.node().feed(new FeedBatchRequest(node.header(), List.of(writes))).replies();
    }

    private static EncodedWrite put(DocumentId id, String title) {
        return new EncodedWrite(partition(id), id, encoded(id, title, Mails.TYPE));
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

    private static EncodedWrite remove(DocumentId id) {
        return new EncodedWrite(
                partition(id),
                id,
                RowEncoding.encode(
                        new Row(id, 0, Mails.TYPE.fingerprint(), true, Map.of()), Mails.TYPE));
    }

    private static int partition(DocumentId id) {
        return NodeFixture.PARTITIONS.of(id.location());
    }
}
