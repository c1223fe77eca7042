package org.crabro.content;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
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
import org.crabro.content.WriteRefusals.Reason;
import org.crabro.content.integrity.ScrubSettings;
import org.crabro.content.journal.FaultyLogFiles;
import org.crabro.content.journal.LogFiles;
import org.crabro.content.merge.CompactionSettings;
import org.crabro.content.recent.FeedLimits;
import org.crabro.content.recent.JournalSettings;
import org.crabro.content.recent.OverloadSettings;
import org.crabro.content.recent.RecentSettings;
import org.crabro.content.result.Mails;
import org.crabro.content.result.ScanLimits;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.protocol.cluster.NodeHealth;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.feed.FeedReply;
import org.crabro.protocol.feed.FeedRequest;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.RemoveGroupRequest;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.RankedQuery;
import org.crabro.protocol.search.ReplySettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SearchScope;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContentNodeTest {
    private static final Partitions PARTITIONS = new Partitions(1);
    private static final long STATE = 5;
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(1_000));
    private static final DocumentId ID = DocumentId.parse("id:post:mail:g=anna:1");
    private static final DocumentId OTHER = DocumentId.parse("id:post:mail:g=bob:1");

    @RegisterExtension final FaultyLogFiles files = new FaultyLogFiles(new Random(1));

    @Test
    void readsWhatWasStoredAndNotWhatWasRemoved() throws IOException {
        try (ContentNode node = open()) {
            node.activate(model(Mails.TYPE));
            FeedReply stored = node.feed(put(ID, title("hello")));
            node.feed(put(OTHER, title("bye")));
            node.feed(remove(OTHER));

            assertThat(stored)
                    .isEqualTo(
                            new FeedReply.Stored(
                                    1_000_000_000L, new PartitionPosition(partition(ID), 1)));
            assertThat(node.get(get(ID)))
                    .isEqualTo(
                            new GetReply.Found(new Document(ID, title("hello")), 1_000_000_000L));
            assertThat(node.get(get(OTHER))).isEqualTo(new GetReply.Missing());

            node.flush();

            assertThat(node.get(get(ID)))
                    .isEqualTo(
                            new GetReply.Found(new Document(ID, title("hello")), 1_000_000_000L));
            assertThat(node.get(get(OTHER))).isEqualTo(new GetReply.Missing());
        }
    }

    @Test
    void removesAGroupFromGetsAndSearches() throws IOException {
        try (ContentNode node = open()) {
            node.activate(model(Mails.TYPE));
            node.feed(put(DocumentId.parse("id:other:mail:g=anna:2"), title("in a run")));
            node.flush();
            node.feed(put(ID, title("recent")));
            node.feed(put(OTHER, title("stays")));

            FeedReply stored = node.removeGroup(removeGroup("mail", ID.key()));

            assertThat(stored).isInstanceOf(FeedReply.Stored.class);
            for (int i = 0; i < 2; i++) {
                assertThat(node.get(get(ID))).isEqualTo(new GetReply.Missing());
                assertThat(count(node, new Scope.Group("anna"))).isZero();
                assertThat(count(node, new Scope.Everything())).isEqualTo(1);
                node.flush();
            }
            assertThat(node.statistics().held().documents()).isEqualTo(1);
            node.feed(put(ID, title("again")));
            assertThat(count(node, new Scope.Group("anna"))).isEqualTo(1);
        }
    }

    @Test
    void isDownFromAFailedForceOfTheJournalToTheNextStart() throws IOException {
        try (ContentNode node = open()) {
            node.activate(model(Mails.TYPE));
            node.feed(put(ID, title("stored")));
            assertThat(node.health()).isEqualTo(NodeHealth.UP);

            files.failForceAfter(1);
            assertThat(node.feed(put(ID, title("lost")))).isInstanceOf(FeedReply.Failed.class);
            files.failNothing();

            assertThat(node.feed(put(ID, title("refused")))).isInstanceOf(FeedReply.Failed.class);
            assertThat(node.health().failure().orElseThrow())
                    .startsWith("the journal failed, writes need a restart: input/output error:");
            assertThat(node.journalFailure()).isPresent();
            assertThat(node.refusals().count(Reason.FAILURE)).isEqualTo(2);
        }

        try (ContentNode node = open()) {
            assertThat(node.health()).isEqualTo(NodeHealth.UP);
        }
    }

    @Test
    void isDownWhileTheDiskIsFullAndUpWithAProblemWhileOnlyPutsAreRefused() throws IOException {
        var feed = FeedLimits.DEFAULT.withMemory(1).withDisk(1, 0).withReservedBytes(1 << 20);
        RecentSettings recent = settings().recent().withFeed(feed);
        try (ContentNode node = ContentNode.open(settings().withRecent(recent), files, CLOCK)) {
            node.activate(model(Mails.TYPE));

            files.limitFree(3 << 18);
            FeedReply put = node.feed(put(ID, title("refused")));
            NodeHealth nearlyFull = node.health();
            files.limitFree(1 << 18);
            FeedReply removal = node.feed(remove(ID));
            NodeHealth full = node.health();
            files.limitFree(8 << 20);

            assertThat(put).isInstanceOf(FeedReply.OutOfSpace.class);
            assertThat(nearlyFull.failure()).isEmpty();
            assertThat(nearlyFull.problems().getFirst())
                    .startsWith("puts are refused: the disk has 786,432 bytes free");
            assertThat(removal).isInstanceOf(FeedReply.OutOfSpace.class);
            assertThat(full.failure().orElseThrow())
                    .startsWith("all writes are refused: the disk has 262,144 bytes free");
            assertThat(node.refusals().count(Reason.SPACE)).isEqualTo(2);
            assertThat(node.health()).isEqualTo(NodeHealth.UP);
            assertThat(node.feed(put(ID, title("taken")))).isInstanceOf(FeedReply.Stored.class);
        }
    }

    @Test
    void knowsWhetherDocumentsOfATypeAreStored() throws IOException {
        try (ContentNode node = open()) {
            node.activate(model(Mails.TYPE));
            assertThat(node.hasDocuments("mail")).isFalse();

            node.feed(put(ID, title("recent")));
            assertThat(node.hasDocuments("mail")).isTrue();
            assertThat(node.hasDocuments("note")).isFalse();

            node.flush();
            assertThat(node.hasDocuments("mail")).isTrue();

            node.feed(remove(ID));
            assertThat(node.hasDocuments("mail")).isFalse();

            node.flush();
            assertThat(node.hasDocuments("mail")).isFalse();

            node.feed(put(OTHER, title("in a group")));
            node.flush();
            assertThat(node.hasDocuments("mail")).isTrue();

            node.removeGroup(removeGroup("mail", OTHER.key()));
            assertThat(node.hasDocuments("mail")).isFalse();
        }
    }

    @Test
    void rejectsRemovalsOfGroupsThatCannotBe() throws IOException {
        try (ContentNode node = open()) {
            assertThat(node.removeGroup(removeGroup("mail", ID.key())))
                    .isEqualTo(
                            new FeedReply.Rejected("no active schema has a document type 'mail'"));
            node.activate(model(Mails.TYPE));

            assertThat(node.removeGroup(removeGroup("mail", new LocationKey.Group("a:b"))))
                    .isEqualTo(new FeedReply.Rejected("group of document id holds a colon: 'a:b'"));
            assertThat(node.removeGroup(removeGroup("mail", new LocationKey.Group("a,b"))))
                    .isInstanceOf(FeedReply.Rejected.class);
            int wrong = 1 - partition(ID);
            assertThat(
                            node.removeGroup(
                                    new RemoveGroupRequest(header(STATE), wrong, "mail", ID.key())))
                    .isEqualTo(
                            new FeedReply.Rejected(
                                    "'g=anna' is of partition %d, not %d"
                                            .formatted(partition(ID), wrong)));
            assertThat(node.removeGroup(new RemoveGroupRequest(header(STATE), 2, "mail", ID.key())))
                    .isInstanceOf(FeedReply.WrongOwner.class);
        }
    }

    @Test
    void findsWhatIsRecentFlushedAndReplayed() throws IOException {
        try (ContentNode node = open()) {
            node.activate(model(Mails.TYPE));
            for (int i = 0; i < 10; i++) {
                node.feed(put(DocumentId.parse("id:post:mail:g=anna:" + i), title("in a run")));
            }
            node.flush();
            for (int i = 5; i < 15; i++) {
                node.feed(put(DocumentId.parse("id:post:mail:g=anna:" + i), title("recent")));
            }
            node.feed(remove(ID));

            assertThat(count(node, new Scope.Group("anna"))).isEqualTo(14);
        }
        try (ContentNode node = open()) {
            node.activate(model(Mails.TYPE));

            assertThat(count(node, new Scope.Group("anna"))).isEqualTo(14);
            assertThat(count(node, new Scope.Everything())).isEqualTo(14);
            assertThat(count(node, new Scope.Group("bob"))).isZero();
        }
    }

    @Test
    void readsDocumentsOfAnOlderTypeWithTheFieldsThatAreLeft() throws IOException {
        try (ContentNode node = open()) {
            node.activate(model(Mails.TYPE));
            node.feed(
                    put(
                            ID,
                            Map.of(
                                    "note", new FieldValue.StringValue("not in the older type"),
                                    "title", new FieldValue.StringValue("in both"))));

            node.activate(model(Mails.OLD_TYPE));

            assertThat(node.get(get(ID)))
                    .isEqualTo(
                            new GetReply.Found(new Document(ID, title("in both")), 1_000_000_000L));
            node.feed(put(OTHER, title("of the older type")));
            node.activate(model(Mails.TYPE));
            assertThat(count(node, new Scope.Everything())).isEqualTo(2);
            node.flush();
            assertThat(count(node, new Scope.Everything())).isEqualTo(2);
        }
    }

    @Test
    void rejectsWhatTheSchemasDoNotKnow() throws IOException {
        try (ContentNode node = open()) {
            assertThat(node.feed(put(ID, title("too early"))))
                    .isEqualTo(
                            new FeedReply.Rejected("no active schema has a document type 'mail'"));
            node.activate(model(Mails.TYPE));

            assertThat(node.feed(put(ID, Map.of("title", new FieldValue.IntValue(1)))))
                    .isEqualTo(
                            new FeedReply.Rejected("field 'title' is string, but got a IntValue"));
            assertThat(node.feed(put(ID, Map.of("colour", new FieldValue.IntValue(1)))))
                    .isInstanceOf(FeedReply.Rejected.class);
        }
    }

    @Test
    void answersWrongOwner() throws IOException {
        var one =
                new ContentSettings(
                        new NodePlace(
                                Path.of("unused"), PARTITIONS, Set.of(1 - partition(ID)), STATE),
                        settings().recent(),
                        new ThreadSettings(1, 1, 1, 1),
                        new UpkeepSettings(true, ScrubSettings.NONE),
                        new MemorySettings(
                                MemorySettings.postingsBytesByDefault(),
                                MemorySettings.vectorBytesByDefault(),
                                64L << 20,
                                64L << 20),
                        ScanLimits.DEFAULT);
        try (ContentNode node = ContentNode.open(one, files, CLOCK)) {
            node.activate(model(Mails.TYPE));

            assertThat(node.feed(put(ID, title("x")))).isEqualTo(new FeedReply.WrongOwner(STATE));
            assertThat(node.get(get(ID))).isEqualTo(new GetReply.WrongOwner(STATE));
            assertThat(node.search(search(new Scope.Everything())))
                    .isEqualTo(new SearchReply.WrongOwner(STATE));
        }
    }

    @Test
    void asksWhoKnowsANewerStateToLookAgain() throws IOException {
        try (ContentNode node = open()) {
            node.activate(model(Mails.TYPE));
            var newer = new RequestHeader(Principal.EVERYONE, STATE + 1, soon());

            assertThat(node.get(new GetRequest(newer, partition(ID), ID, Optional.empty())))
                    .isEqualTo(new GetReply.WrongOwner(STATE));
        }
    }

    @Test
    void waitsForThePositionAskedFor() throws IOException {
        try (ContentNode node = open()) {
            node.activate(model(Mails.TYPE));
            var stored = (FeedReply.Stored) node.feed(put(ID, title("here")));
            PartitionPosition reached = stored.position();
            var ahead = new PartitionPosition(reached.partition(), reached.position() + 1);

            assertThat(node.get(get(ID, soon(), reached))).isInstanceOf(GetReply.Found.class);
            assertThat(node.get(get(ID, Deadline.after(Duration.ZERO), ahead)))
                    .isEqualTo(new GetReply.TimedOut());
        }
    }

    @Test
    void answersThatItIsClosing() throws IOException {
        ContentNode node = open();
        node.activate(model(Mails.TYPE));
        node.close();

        assertThat(node.feed(put(ID, title("late")))).isInstanceOf(FeedReply.Failed.class);
        assertThat(node.get(get(ID))).isInstanceOf(GetReply.Failed.class);
        assertThat(node.search(search(new Scope.Everything())))
                .isInstanceOf(SearchReply.Failed.class);
        node.close();
    }

    @Test
    void hasNothingToReplayAfterACleanEnd() throws IOException {
        try (ContentNode node = open()) {
            node.activate(model(Mails.TYPE));
            node.feed(put(ID, title("flushed at the end")));
        }

        try (ContentNode node = open()) {
            assertThat(node.statistics().writes().recentBytes()).isZero();
            assertThat(node.statistics().runs().count()).isEqualTo(1);
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
        try (ContentNode node = open()) {
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
        int partition = settings.place().partitions().of(ID.location());
        try (ContentNode node = ContentNode.open(settings)) {
            node.activate(model(Mails.TYPE));
            node.feed(
                    new FeedRequest(
                            header(1),
                            partition,
                            new DocumentOperation.Put(new Document(ID, title("kept")))));
            assertThatIOException()
                    .isThrownBy(() -> ContentNode.open(settings))
                    .withMessageContaining("in use");
        }

        try (ContentNode node = ContentNode.open(settings)) {
            node.activate(model(Mails.TYPE));
            assertThat(node.get(new GetRequest(header(1), partition, ID, Optional.empty())))
                    .isInstanceOf(GetReply.Found.class);
        }
    }

    private ContentNode open() throws IOException {
        return ContentNode.open(settings(), files, CLOCK);
    }

    private static ContentSettings settings() {
        var recent =
                new RecentSettings(
                        1 << 20,
                        Duration.ofHours(1),
                        new JournalSettings(
                                1 << 20, 64 << 10, 2, Duration.ofHours(1), 100, 1 << 20),
                        FeedLimits.DEFAULT.withRowBytes(20_000).withReservedBytes(0),
                        CompactionSettings.DEFAULT,
                        new OverloadSettings(Duration.ofSeconds(10), Duration.ofMillis(10)));
        return new ContentSettings(
                new NodePlace(Path.of("unused"), PARTITIONS, Set.of(0, 1), STATE),
                recent,
                new ThreadSettings(2, 10, 2, 2),
                new UpkeepSettings(true, ScrubSettings.NONE),
                new MemorySettings(
                        MemorySettings.postingsBytesByDefault(),
                        MemorySettings.vectorBytesByDefault(),
                        64L << 20,
                        64L << 20),
                ScanLimits.DEFAULT);
    }

    @Test
    void refusesPutsAboveTheLowestLimitOfItsClustersUntilTheyHaveAnother() throws IOException {
        files.limitCapacity(1 << 30);
        try (ContentNode node = open()) {
            node.activate(model(Mails.TYPE, 0.9, 0.000_000_001));
            FeedReply refused = node.feed(put(ID, title("hello")));
            node.activate(model(Mails.TYPE, 0.9, 0.9));
            FeedReply stored = node.feed(put(ID, title("hello")));

            assertThat(refused).isInstanceOf(FeedReply.OutOfSpace.class);
            assertThat(((FeedReply.OutOfSpace) refused).reason())
                    .startsWith(
                            "external feed is blocked due to resource exhaustion, in content"
                                    + " cluster 'c0': disk on node 0 is ");
            assertThat(stored).isInstanceOf(FeedReply.Stored.class);
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

    private static long count(ContentNode node, Scope scope) {
        return switch (node.search(search(scope))) {
            case SearchReply.Found found -> found.totalCount();
            case SearchReply.Rejected(var reason) -> throw new AssertionError(reason);
            case SearchReply.TimedOut _,
                    SearchReply.WrongOwner _,
                    SearchReply.Overloaded _,
                    SearchReply.Failed _ ->
                    -1;
        };
    }

    private static SearchRequest search(Scope scope) {
        return new SearchRequest(
                header(STATE),
                new SearchScope(List.of(0, 1), "mail", scope, List.of()),
                new RankedQuery(
                        new QueryNode.All(),
                        new RankSettings(
                                "unranked", Map.of(), RankSettings.Statistics.GROUP, Mails.NOW)),
                new HitSettings(3, List.of(), SummarySettings.DEFAULT),
                GroupingSettings.NONE,
                new ReplySettings(false, 0));
    }

    private static FeedRequest put(DocumentId id, Map<String, FieldValue> fields) {
        return new FeedRequest(
                header(STATE), partition(id), new DocumentOperation.Put(new Document(id, fields)));
    }

    private static FeedRequest remove(DocumentId id) {
        return new FeedRequest(header(STATE), partition(id), new DocumentOperation.Remove(id));
    }

    private static RemoveGroupRequest removeGroup(String type, LocationKey group) {
        long location =
                switch (group) {
                    case LocationKey.Group(var name) -> DocumentId.locationOfGroup(name);
                    case LocationKey.Numbered(var value) -> value;
                    case LocationKey.Plain() -> throw new AssertionError("no group");
                };
        return new RemoveGroupRequest(header(STATE), PARTITIONS.of(location), type, group);
    }

    private static GetRequest get(DocumentId id) {
        return new GetRequest(header(STATE), partition(id), id, Optional.empty());
    }

    private static GetRequest get(DocumentId id, Deadline deadline, PartitionPosition position) {
        return new GetRequest(
                new RequestHeader(Principal.EVERYONE, STATE, deadline),
                partition(id),
                id,
                Optional.of(position));
    }

    private static RequestHeader header(long state) {
        return new RequestHeader(Principal.EVERYONE, state, soon());
    }

    private static Deadline soon() {
        return Deadline.after(Duration.ofSeconds(60));
    }

    private static int partition(DocumentId id) {
        return PARTITIONS.of(id.location());
    }

    private static Map<String, FieldValue> title(String text) {
        return Map.of("title", new FieldValue.StringValue(text));
    }
}
