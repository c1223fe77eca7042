package org.crabro.content.node;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.FieldNames;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SnippetRules;
import org.crabro.config.schema.SummaryRules;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.Services;
import org.crabro.content.node.WriteRefusals.Reason;
import org.crabro.content.search.execution.Mails;
import org.crabro.content.storage.admission.FeedLimits;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.protocol.cluster.NodeHealth;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.RequestHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContentNodeTest {
    private static final long STATE = 1;
    private static final DocumentId ID = DocumentId.parse("id:post:mail:g=anna:1");
    private static final DocumentId OTHER = DocumentId.parse("id:post:mail:g=bob:1");

    @RegisterExtension final FaultyLogFiles files = new FaultyLogFiles(new Random(1));

    @Test
    void readsWhatWasStoredAndNotWhatWasRemoved() throws IOException {
        try (NodeFixture node = open()) {
            node.activate(model(Mails.TYPE));
            WriteReply stored = node.put(ID, title("hello"));
            node.put(OTHER, title("bye"));
            node.remove(OTHER);

            assertThat(stored)
                    .isEqualTo(
                            new WriteReply.Stored(
                                    1_000_000_000L, new PartitionPosition(partition(ID), 1)));
            assertThat(node.get(ID))
                    .isEqualTo(
                            new GetReply.Found(new Document(ID, title("hello")), 1_000_000_000L));
            assertThat(node.get(OTHER)).isEqualTo(new GetReply.Missing());

            node.flush();

            assertThat(node.get(ID))
                    .isEqualTo(
                            new GetReply.Found(new Document(ID, title("hello")), 1_000_000_000L));
            assertThat(node.get(OTHER)).isEqualTo(new GetReply.Missing());
        }
    }

    @Test
    void removesAGroupFromGetsAndSearches() throws IOException {
        try (NodeFixture node = open()) {
            node.activate(model(Mails.TYPE));
            node.put(DocumentId.parse("id:other:mail:g=anna:2"), title("in a run"));
            node.flush();
            node.put(ID, title("recent"));
            node.put(OTHER, title("stays"));

            WriteReply stored = node.removeGroup("mail", ID.key());

            assertThat(stored).isInstanceOf(WriteReply.Stored.class);
            for (int i = 0; i < 2; i++) {
                assertThat(node.get(ID)).isEqualTo(new GetReply.Missing());
                assertThat(count(node, new Scope.Group("anna"))).isZero();
                assertThat(count(node, new Scope.Everything())).isEqualTo(1);
                node.flush();
            }
            assertThat(node.node().statistics().held().documents()).isEqualTo(1);
            node.put(ID, title("again"));
            assertThat(count(node, new Scope.Group("anna"))).isEqualTo(1);
        }
    }

    @Test
    void isDownFromAFailedForceOfTheJournalToTheNextStart() throws IOException {
        try (NodeFixture node = open()) {
            node.activate(model(Mails.TYPE));
            node.put(ID, title("stored"));
            assertThat(node.node().health()).isEqualTo(NodeHealth.UP);

            files.failForceAfter(1);
            assertThat(node.put(ID, title("lost"))).isInstanceOf(WriteReply.Failed.class);
            files.failNothing();

            assertThat(node.put(ID, title("refused"))).isInstanceOf(WriteReply.Failed.class);
            assertThat(node.node().health().failure().orElseThrow())
                    .startsWith("the journal failed, writes need a restart: input/output error:");
            assertThat(node.node().journalFailure()).isPresent();
            assertThat(node.node().refusals().count(Reason.FAILURE)).isEqualTo(2);

            node.restart();

            assertThat(node.node().health()).isEqualTo(NodeHealth.UP);
        }
    }

    @Test
    void isDownWhileTheDiskIsFullAndUpWithAProblemWhileOnlyPutsAreRefused() throws IOException {
        var feed = FeedLimits.DEFAULT.withMemory(1).withDisk(1, 0).withReservedBytes(1 << 20);
        ContentSettings small = NodeFixture.small();
        ContentSettings settings = small.withRecent(small.recent().withFeed(feed));
        try (NodeFixture node = NodeFixture.open(settings, files)) {
            node.activate(model(Mails.TYPE));

            files.limitFree(3 << 18);
            WriteReply put = node.put(ID, title("refused"));
            NodeHealth nearlyFull = node.node().health();
            files.limitFree(1 << 18);
            WriteReply removal = node.remove(ID);
            NodeHealth full = node.node().health();
            files.limitFree(8 << 20);

            assertThat(put).isInstanceOf(WriteReply.OutOfSpace.class);
            assertThat(nearlyFull.failure()).isEmpty();
            assertThat(nearlyFull.problems().getFirst())
                    .startsWith("puts are refused: the disk has 786,432 bytes free");
            assertThat(removal).isInstanceOf(WriteReply.OutOfSpace.class);
            assertThat(full.failure().orElseThrow())
                    .startsWith("all writes are refused: the disk has 262,144 bytes free");
            assertThat(node.node().refusals().count(Reason.SPACE)).isEqualTo(2);
            assertThat(node.node().health()).isEqualTo(NodeHealth.UP);
            assertThat(node.put(ID, title("taken"))).isInstanceOf(WriteReply.Stored.class);
        }
    }

    @Test
    void knowsWhetherDocumentsOfATypeAreStored() throws IOException {
        try (NodeFixture node = open()) {
            node.activate(model(Mails.TYPE));
            assertThat(node.node().hasDocuments("mail")).isFalse();

            node.put(ID, title("recent"));
            assertThat(node.node().hasDocuments("mail")).isTrue();
            assertThat(node.node().hasDocuments("note")).isFalse();

            node.flush();
            assertThat(node.node().hasDocuments("mail")).isTrue();

            node.remove(ID);
            assertThat(node.node().hasDocuments("mail")).isFalse();

            node.flush();
            assertThat(node.node().hasDocuments("mail")).isFalse();

            node.put(OTHER, title("in a group"));
            node.flush();
            assertThat(node.node().hasDocuments("mail")).isTrue();

            node.removeGroup("mail", OTHER.key());
            assertThat(node.node().hasDocuments("mail")).isFalse();
        }
    }

    @Test
    void rejectsRemovalsOfGroupsThatCannotBe() throws IOException {
        try (NodeFixture node = open()) {
            assertThat(node.removeGroup("mail", ID.key()))
                    .isEqualTo(
                            new WriteReply.Rejected("no active schema has a document type 'mail'"));
            node.activate(model(Mails.TYPE));

            assertThat(node.removeGroup("mail", new LocationKey.Group("a:b")))
                    .isEqualTo(
                            new WriteReply.Rejected("group of document id holds a colon: 'a:b'"));
            assertThat(node.removeGroup("mail", new LocationKey.Group("a,b")))
                    .isInstanceOf(WriteReply.Rejected.class);
            int wrong = 1 - partition(ID);
            assertThat(
                            node.node()
                                    .write(
                                            node.header(),
                                            new Write.RemoveGroup(wrong, "mail", ID.key()),
                                            Optional.empty()))
                    .isEqualTo(
                            new WriteReply.Rejected(
                                    "'g=anna' is of partition %d, not %d"
                                            .formatted(partition(ID), wrong)));
            var unknown = new Write.RemoveGroup(2, "mail", ID.key());
            assertThat(node.node().write(node.header(), unknown, Optional.empty()))
                    .isInstanceOf(WriteReply.WrongOwner.class);
        }
    }

    @Test
    void findsWhatIsRecentFlushedAndReplayed() throws IOException {
        try (NodeFixture node = open()) {
            node.activate(model(Mails.TYPE));
            for (int i = 0; i < 10; i++) {
                node.put(DocumentId.parse("id:post:mail:g=anna:" + i), title("in a run"));
            }
            node.flush();
            for (int i = 5; i < 15; i++) {
                node.put(DocumentId.parse("id:post:mail:g=anna:" + i), title("recent"));
            }
            node.remove(ID);

            assertThat(count(node, new Scope.Group("anna"))).isEqualTo(14);

            node.restart();
            node.activate(model(Mails.TYPE));

            assertThat(count(node, new Scope.Group("anna"))).isEqualTo(14);
            assertThat(count(node, new Scope.Everything())).isEqualTo(14);
            assertThat(count(node, new Scope.Group("bob"))).isZero();
        }
    }

    @Test
    void readsDocumentsOfAnOlderTypeWithTheFieldsThatAreLeft() throws IOException {
        try (NodeFixture node = open()) {
            node.activate(model(Mails.TYPE));
            node.put(
                    ID,
                    Map.of(
                            "note", new FieldValue.StringValue("not in the older type"),
                            "title", new FieldValue.StringValue("in both")));

            node.activate(model(Mails.OLD_TYPE));

            assertThat(node.get(ID))
                    .isEqualTo(
                            new GetReply.Found(new Document(ID, title("in both")), 1_000_000_000L));
            node.put(OTHER, title("of the older type"));
            node.activate(model(Mails.TYPE));
            assertThat(count(node, new Scope.Everything())).isEqualTo(2);
            node.flush();
            assertThat(count(node, new Scope.Everything())).isEqualTo(2);
        }
    }

    @Test
    void rejectsWhatTheSchemasDoNotKnow() throws IOException {
        try (NodeFixture node = open()) {
            assertThat(node.put(ID, title("too early")))
                    .isEqualTo(
                            new WriteReply.Rejected("no active schema has a document type 'mail'"));
            node.activate(model(Mails.TYPE));

            assertThat(node.put(ID, Map.of("title", new FieldValue.IntValue(1))))
                    .isEqualTo(
                            new WriteReply.Rejected("field 'title' is string, but got a IntValue"));
            assertThat(node.put(ID, Map.of("colour", new FieldValue.IntValue(1))))
                    .isInstanceOf(WriteReply.Rejected.class);
        }
    }

    @Test
    void answersWrongOwner() throws IOException {
        Set<Integer> other = Set.of(1 - partition(ID));
        ContentSettings settings =
                NodeFixture.small()
                        .withPlace(
                                new NodePlace(
                                        Path.of("unused"), NodeFixture.PARTITIONS, other, STATE))
                        .withThreads(new ThreadSettings(1, 1, 1, 1));
        try (NodeFixture node = NodeFixture.open(settings, files)) {
            node.activate(model(Mails.TYPE));

            assertThat(node.put(ID, title("x"))).isEqualTo(new WriteReply.WrongOwner(STATE));
            assertThat(node.get(ID)).isEqualTo(new GetReply.WrongOwner(STATE));
            assertThat(node.node().search(everything(node)))
                    .isEqualTo(new SearchReply.WrongOwner(STATE));
        }
    }

    @Test
    void asksWhoKnowsANewerStateToLookAgain() throws IOException {
        try (NodeFixture node = open()) {
            node.activate(model(Mails.TYPE));
            RequestHeader header = node.header();
            var newer = new RequestHeader(header.principal(), STATE + 1, header.deadline());

            assertThat(node.node().get(new GetRequest(newer, partition(ID), ID, Optional.empty())))
                    .isEqualTo(new GetReply.WrongOwner(STATE));
        }
    }

    @Test
    void waitsForThePositionAskedFor() throws IOException {
        try (NodeFixture node = open()) {
            node.activate(model(Mails.TYPE));
            var stored = (WriteReply.Stored) node.put(ID, title("here"));
            PartitionPosition reached = stored.position();
            var ahead = new PartitionPosition(reached.partition(), reached.position() + 1);

            RequestHeader late = node.header(Deadline.after(Duration.ZERO));
            assertThat(node.node().get(get(ID, node.header(), reached)))
                    .isInstanceOf(GetReply.Found.class);
            assertThat(node.node().get(get(ID, late, ahead))).isEqualTo(new GetReply.TimedOut());
        }
    }

    @Test
    void answersThatItIsClosing() throws IOException {
        NodeFixture node = open();
        node.activate(model(Mails.TYPE));
        node.close();

        assertThat(node.put(ID, title("late"))).isInstanceOf(WriteReply.Failed.class);
        assertThat(node.get(ID)).isInstanceOf(GetReply.Failed.class);
        assertThat(node.node().search(everything(node))).isInstanceOf(SearchReply.Failed.class);
        node.close();
    }

    @Test
    void hasNothingToReplayAfterACleanEnd() throws IOException {
        try (NodeFixture node = open()) {
            node.activate(model(Mails.TYPE));
            node.put(ID, title("flushed at the end"));

            node.restart();

            assertThat(node.node().statistics().writes().recentBytes()).isZero();
            assertThat(node.node().statistics().runs().count()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "crabro data, format 2, 2 partitions\n|in format 2 by a newer version",
                "crabro data, format 0, 2 partitions\n|until issue B is closed",
                "crabro data, format 1, 16 partitions\n|has 16 partitions",
                "crabro data, form|its version reads 'crabro data, form'"
            })
    void refusesDataOfAnotherFormatInWords(String lineAndProblem) throws IOException {
        try (NodeFixture node = open()) {
            node.activate(model(Mails.TYPE));
        }
        String[] parts = lineAndProblem.split("\\|", 2);
        files.delete("version");
        try (LogFiles.LogFile file = files.create("version")) {
            file.write(ByteBuffer.wrap(parts[0].getBytes(US_ASCII)), 0);
        }

        assertThatIOException().isThrownBy(this::open).withMessageContaining(parts[1]);
    }

    @Test
    void keepsDocumentsInRealFiles(@TempDir Path directory) throws IOException {
        ContentSettings settings = ContentSettings.in(directory);
        try (NodeFixture node = NodeFixture.open(settings)) {
            node.activate(model(Mails.TYPE));
            node.put(ID, title("kept"));
            assertThatIOException()
                    .isThrownBy(() -> ContentNode.open(settings))
                    .withMessageContaining("in use");

            node.restart();

            node.activate(model(Mails.TYPE));
            assertThat(node.get(ID)).isInstanceOf(GetReply.Found.class);
        }
    }

    private NodeFixture open() throws IOException {
        return NodeFixture.open(NodeFixture.small(), files);
    }

    @Test
    void refusesPutsAboveTheLowestLimitOfItsClustersUntilTheyHaveAnother() throws IOException {
        files.limitCapacity(1 << 30);
        try (NodeFixture node = open()) {
            node.activate(model(Mails.TYPE, 0.9, 0.000_000_001));
            WriteReply refused = node.put(ID, title("hello"));
            node.activate(model(Mails.TYPE, 0.9, 0.9));
            WriteReply stored = node.put(ID, title("hello"));

            assertThat(refused).isInstanceOf(WriteReply.OutOfSpace.class);
            assertThat(((WriteReply.OutOfSpace) refused).reason())
                    .startsWith(
                            "external feed is blocked due to resource exhaustion, in content"
                                    + " cluster 'c0': disk on node 0 is ");
            assertThat(stored).isInstanceOf(WriteReply.Stored.class);
        }
    }

    /** Returns a model with a cluster for each limit of the disk. */
    private static ApplicationModel model(DocumentType type, double... limits) {
        var clusters = new ArrayList<ContentCluster>();
        for (double limit : limits) {
            clusters.add(
                    new ContentCluster(
                            "c" + clusters.size(),
                            List.of(
                                    new ContentCluster.ClusterDocument(
                                            "mail", ContentCluster.Mode.STREAMING)),
                            new ContentCluster.ResourceLimits(
                                    OptionalDouble.of(limit),
                                    OptionalDouble.empty(),
                                    OptionalInt.empty())));
        }
        Schema mails = Mails.SCHEMA;
        var schema =
                new Schema(
                        mails.name(),
                        type,
                        mails.fields(),
                        new FieldNames(mails.names().fieldsets(), Map.of(), Map.of()),
                        mails.rankProfiles(),
                        new SummaryRules(mails.summaries().byName(), SnippetRules.DEFAULT));
        return new ApplicationModel(1, new Services(List.of(), clusters), Map.of("mail", schema));
    }

    private static long count(NodeFixture node, Scope scope) {
        return node.search("mail", new QueryNode.All(), scope, 3).totalCount();
    }

    private static SearchRequest everything(NodeFixture node) {
        return node.request("mail", new QueryNode.All(), new Scope.Everything(), 3);
    }

    private static GetRequest get(DocumentId id, RequestHeader header, PartitionPosition position) {
        return new GetRequest(header, partition(id), id, Optional.of(position));
    }

    private static int partition(DocumentId id) {
        return NodeFixture.PARTITIONS.of(id.location());
    }

    private static Map<String, FieldValue> title(String text) {
        return Map.of("title", new FieldValue.StringValue(text));
    }
}
