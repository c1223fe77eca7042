package org.crabro.content;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.services.Services;
import org.crabro.content.integrity.ScrubSettings;
import org.crabro.content.recent.FeedLimits;
import org.crabro.content.recent.RecentSettings;
import org.crabro.content.result.Mails;
import org.crabro.content.result.ScanLimits;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.feed.FeedReply;
import org.crabro.protocol.feed.FeedRequest;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
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

/** Mails in nodes over real files. */
final class StoredMails {
    static final Partitions PARTITIONS = new Partitions(1);

    private StoredMails() {}

    static ContentSettings settings(Path directory) {
        return new ContentSettings(
                new NodePlace(
                        directory,
                        PARTITIONS,
                        Set.of(0, 1),
                        1), // The free space of files in memory is the current free heap.
                RecentSettings.DEFAULT.withFeed(FeedLimits.DEFAULT.withReservedBytes(0)),
                new ThreadSettings(2, 10, 2, 2),
                new UpkeepSettings(false, ScrubSettings.NONE),
                new MemorySettings(
                        MemorySettings.postingsBytesByDefault(),
                        MemorySettings.vectorBytesByDefault(),
                        64L << 20,
                        64L << 20),
                ScanLimits.DEFAULT);
    }

    static ApplicationModel model() {
        return new ApplicationModel(
                1, new Services(List.of(), List.of()), Map.of("mail", Mails.SCHEMA));
    }

    /**
     * Opens a node with two partitions and the model of mails, which does not flush when it is
     * closed.
     */
    static ContentNode open(Path directory) throws IOException {
        ContentNode node = ContentNode.open(settings(directory));
        node.activate(model());
        return node;
    }

    static DocumentId id(String group, int number) {
        return DocumentId.parse("id:post:mail:g=%s:%d".formatted(group, number));
    }

    /** Stores a mail; returns when it is acknowledged. */
    static void put(ContentNode node, String group, int number, String title) {
        put(node, group, number, Map.of("title", new FieldValue.StringValue(title)));
    }

    /** Stores a mail with some fields; returns when it is acknowledged. */
    static void put(ContentNode node, String group, int number, Map<String, FieldValue> fields) {
        DocumentId id = id(group, number);
        var document = new Document(id, fields);
        FeedReply reply =
                node.feed(
                        new FeedRequest(
                                header(),
                                PARTITIONS.of(id.location()),
                                new DocumentOperation.Put(document)));
        assertThat(reply).isInstanceOf(FeedReply.Stored.class);
    }

    /** Returns a mail's title; empty if the mail does not exist. */
    static Optional<String> title(ContentNode node, DocumentId id) {
        GetReply reply = get(node, id);
        return switch (reply) {
            case GetReply.Found(var document, _) ->
                    document.fields().get("title") instanceof FieldValue.StringValue(var title)
                            ? Optional.of(title)
                            : Optional.empty();
            case GetReply.Missing() -> Optional.empty();
            case GetReply.WrongOwner _,
                    GetReply.Overloaded _,
                    GetReply.TimedOut _,
                    GetReply.Failed _ ->
                    throw new AssertionError(reply);
        };
    }

    static GetReply get(ContentNode node, DocumentId id) {
        return node.get(
                new GetRequest(header(), PARTITIONS.of(id.location()), id, Optional.empty()));
    }

    /** Returns mails that match, unranked, with a trace. */
    static SearchReply.Found search(
            ContentNode node, List<Integer> partitions, QueryNode tree, Scope scope, int hits) {
        SearchReply reply = node.search(request(partitions, tree, scope, hits));
        assertThat(reply).isInstanceOf(SearchReply.Found.class);
        return (SearchReply.Found) reply;
    }

    /** Returns a search for mails that match, unranked, with a trace. */
    static SearchRequest request(List<Integer> partitions, QueryNode tree, Scope scope, int hits) {
        return new SearchRequest(
                header(),
                new SearchScope(partitions, "mail", scope, List.of()),
                new RankedQuery(
                        tree,
                        new RankSettings(
                                "unranked", Map.of(), RankSettings.Statistics.GROUP, Mails.NOW)),
                new HitSettings(hits, List.of(), SummarySettings.DEFAULT),
                GroupingSettings.NONE,
                new ReplySettings(true, 1));
    }

    private static RequestHeader header() {
        return new RequestHeader(Principal.EVERYONE, 1, Deadline.after(Duration.ofSeconds(60)));
    }
}
