package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.Services;
import org.crabro.content.search.execution.Mails;
import org.crabro.content.search.execution.ScanLimits;
import org.crabro.content.search.parent.ParentViews;
import org.crabro.content.storage.admission.FeedLimits;
import org.crabro.content.storage.commit.JournalSettings;
import org.crabro.content.storage.index.IndexSettings;
import org.crabro.content.storage.integrity.ScrubSettings;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.merge.CompactionSettings;
import org.crabro.content.storage.store.OverloadSettings;
import org.crabro.content.storage.store.RecentSettings;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.WriteCondition;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
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

/** A content node of a test, with requests that carry its partitions and its cluster state. */
final class NodeFixture implements AutoCloseable {
    /** The partitions of {@link #settings}: two. */
    static final Partitions PARTITIONS = new Partitions(1);

    /** The clock of a node over files of a test: it always shows 1,000 seconds. */
    static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(1_000));

    private static final Path UNUSED = Path.of("unused");

    private final ContentSettings settings;
    private final Opening opening;
    private ContentNode node;

    /** Opens the node, at first and at each restart. */
    private interface Opening {
        ContentNode open() throws IOException;
    }

    private NodeFixture(ContentSettings settings, Opening opening) throws IOException {
        this.settings = settings;
        this.opening = opening;
        this.node = opening.open();
    }

    /** Opens a node over the directory of {@code settings}. */
    static NodeFixture open(ContentSettings settings) throws IOException {
        return new NodeFixture(settings, () -> ContentNode.open(settings));
    }

    /** Opens a node over files of a test. */
    static NodeFixture open(ContentSettings settings, LogFiles files) throws IOException {
        return new NodeFixture(settings, () -> ContentNode.open(settings, files, CLOCK));
    }

    /** Returns settings of a node that keeps no disk space free and does not flush on close. */
    static ContentSettings settings(Path directory) {
        return new ContentSettings(
                new NodePlace(directory, PARTITIONS, Set.of(0, 1), 1),
                // The free space of files in memory is the current free heap.
                RecentSettings.DEFAULT.withFeed(FeedLimits.DEFAULT.withReservedBytes(0)),
                new ThreadSettings(2, 10, 2, 2),
                new UpkeepSettings(false, ScrubSettings.NONE, IndexSettings.NONE),
                new MemorySettings(
                        MemorySettings.postingsBytesByDefault(),
                        MemorySettings.vectorBytesByDefault(),
                        64L << 20,
                        64L << 20,
                        ParentViews.ROWS_MAX),
                ScanLimits.DEFAULT);
    }

    /** Returns settings of a node over files of a test. */
    static ContentSettings settings() {
        return settings(UNUSED);
    }

    /**
     * Returns settings of a node that flushes on close.
     *
     * @param recentBytes the budget of recent rows, and the size of the journal
     * @param segmentBytes the size of a file of the journal
     * @param rowBytes the limit of a row
     */
    static ContentSettings flushing(int recentBytes, int segmentBytes, int rowBytes) {
        var recent =
                new RecentSettings(
                        recentBytes,
                        Duration.ofHours(1),
                        new JournalSettings(
                                recentBytes, segmentBytes, 2, Duration.ofHours(1), 100, 1 << 20),
                        FeedLimits.DEFAULT.withRowBytes(rowBytes).withReservedBytes(0),
                        CompactionSettings.DEFAULT,
                        new OverloadSettings(Duration.ofSeconds(10), Duration.ofMillis(10)));
        return settings().withRecent(recent).withFlushOnClose(true);
    }

    /** Returns settings with small buffers of a node that flushes on close. */
    static ContentSettings small() {
        return flushing(1 << 20, 64 << 10, 20_000);
    }

    /** Returns an application without clusters. */
    static ApplicationModel model(Map<String, Schema> schemas) {
        return new ApplicationModel(1, new Services(List.of(), List.of()), schemas);
    }

    /** Activates an application; closes the node if that fails. */
    NodeFixture serving(ApplicationModel model) {
        try {
            node.activate(model);
            return this;
        } catch (RuntimeException e) {
            node.close();
            throw e;
        }
    }

    ContentNode node() {
        return node;
    }

    void activate(ApplicationModel model) {
        node.activate(model);
    }

    void flush() throws IOException {
        node.flush();
    }

    /** Closes the node and opens it again, without an active application. */
    void restart() throws IOException {
        node.close();
        node = opening.open();
    }

    int partition(DocumentId id) {
        return settings.place().partitions().of(id.location());
    }

    /** Returns the header of a request that has a minute. */
    RequestHeader header() {
        return header(Deadline.after(Duration.ofMinutes(1)));
    }

    RequestHeader header(Deadline deadline) {
        return new RequestHeader(Principal.EVERYONE, settings.place().stateVersion(), deadline);
    }

    WriteReply feed(DocumentOperation operation) {
        return node.write(
                header(),
                new Write.Operation(
                        partition(operation.id()), ConditionalOperation.always(operation)),
                Optional.empty());
    }

    WriteReply feed(DocumentOperation operation, WriteCondition condition, boolean create) {
        return node.write(
                header(),
                new Write.Operation(
                        partition(operation.id()),
                        new ConditionalOperation(operation, condition, create)),
                Optional.empty());
    }

    WriteReply put(DocumentId id, Map<String, FieldValue> fields) {
        return feed(new DocumentOperation.Put(new Document(id, fields)));
    }

    WriteReply remove(DocumentId id) {
        return feed(new DocumentOperation.Remove(id));
    }

    WriteReply removeGroup(String type, LocationKey group) {
        long location =
                switch (group) {
                    case LocationKey.Group(var name) -> DocumentId.locationOfGroup(name);
                    case LocationKey.Numbered(var value) -> value;
                    case LocationKey.Plain() -> throw new AssertionError("no group");
                };
        int partition = settings.place().partitions().of(location);
        return node.write(
                header(), new Write.RemoveGroup(partition, type, group), Optional.empty());
    }

    GetReply get(DocumentId id) {
        return node.get(new GetRequest(header(), partition(id), id, Optional.empty()));
    }

    /** Returns a document, or nothing if it is missing; any other reply is an error. */
    Optional<Document> document(DocumentId id) {
        GetReply reply = get(id);
        return switch (reply) {
            case GetReply.Found(Document document, _) -> Optional.of(document);
            case GetReply.Missing _ -> Optional.empty();
            default -> throw new AssertionError(reply);
        };
    }

    /** Returns the unranked documents that match, of all partitions, with a trace. */
    SearchReply.Found search(String type, QueryNode tree, Scope scope, int hits) {
        return searchReply(request(type, tree, scope, hits));
    }

    /** Returns the documents of a type that match, of all partitions and groups, with a trace. */
    SearchReply.Found search(String type, RankedQuery query, HitSettings hits, int traceLevel) {
        return searchReply(
                new SearchRequest(
                        header(),
                        new SearchScope(partitions(), type, new Scope.Everything(), List.of()),
                        query,
                        hits,
                        GroupingSettings.NONE,
                        new ReplySettings(true, traceLevel)));
    }

    private SearchReply.Found searchReply(SearchRequest request) {
        SearchReply reply = node.search(request);
        assertThat(reply).isInstanceOf(SearchReply.Found.class);
        return (SearchReply.Found) reply;
    }

    private List<Integer> partitions() {
        return IntStream.range(0, settings.place().partitions().count()).boxed().toList();
    }

    /** Returns the request of {@link #search}. */
    SearchRequest request(String type, QueryNode tree, Scope scope, int hits) {
        return new SearchRequest(
                header(),
                new SearchScope(partitions(), type, scope, List.of()),
                new RankedQuery(
                        tree,
                        new RankSettings(
                                "unranked", Map.of(), RankSettings.Statistics.GROUP, Mails.NOW)),
                new HitSettings(hits, List.of(), SummarySettings.DEFAULT),
                GroupingSettings.NONE,
                new ReplySettings(true, 1));
    }

    @Override
    public void close() {
        node.close();
    }
}
