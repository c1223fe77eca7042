package org.crabro.content;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.Services;
import org.crabro.content.integrity.ScrubSettings;
import org.crabro.content.journal.LogFiles;
import org.crabro.content.merge.CompactionSettings;
import org.crabro.content.recent.FeedLimits;
import org.crabro.content.recent.JournalSettings;
import org.crabro.content.recent.OverloadSettings;
import org.crabro.content.recent.RecentSettings;
import org.crabro.content.result.ScanLimits;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.LocationKey;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.feed.FeedReply;
import org.crabro.protocol.feed.FeedRequest;
import org.crabro.protocol.feed.RemoveGroupRequest;
import org.crabro.protocol.visit.PageLimits;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.visit.VisitScope;
import org.crabro.protocol.visit.VisitSlice;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;

/** A node of two partitions that is fed and visited. */
final class VisitedNode implements AutoCloseable {
    static final Partitions PARTITIONS = new Partitions(1);

    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(1_000));

    private final ContentNode node;

    VisitedNode(LogFiles files, List<DocumentType> types) throws IOException {
        this.node = ContentNode.open(settings(), files, CLOCK);
        activate(types);
    }

    private static ContentSettings settings() {
        var recent =
                new RecentSettings(
                        64 << 20,
                        Duration.ofHours(1),
                        new JournalSettings(
                                64 << 20, 4 << 20, 2, Duration.ofHours(1), 100, 1 << 20),
                        FeedLimits.DEFAULT.withRowBytes(1 << 20).withReservedBytes(0),
                        CompactionSettings.DEFAULT,
                        new OverloadSettings(Duration.ofSeconds(10), Duration.ofMillis(10)));
        return new ContentSettings(
                new NodePlace(Path.of("unused"), PARTITIONS, Set.of(0, 1), 1),
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

    void activate(List<DocumentType> types) {
        var schemas = new HashMap<String, Schema>();
        for (DocumentType type : types) {
            schemas.put(type.name(), new Schema(type.name(), type, Map.of()));
        }
        node.activate(new ApplicationModel(1, new Services(List.of(), List.of()), schemas));
    }

    ContentNode node() {
        return node;
    }

    /** Performs an operation, and returns its timestamp. */
    long feed(DocumentOperation operation) {
        int partition = PARTITIONS.of(operation.id().location());
        FeedReply reply = node.feed(new FeedRequest(header(), partition, operation));
        if (reply instanceof FeedReply.Stored(var timestamp, _)) {
            return timestamp;
        }
        throw new AssertionError(reply);
    }

    long put(Document document) {
        return feed(new DocumentOperation.Put(document));
    }

    long remove(DocumentId id) {
        return feed(new DocumentOperation.Remove(id));
    }

    void removeGroup(String type, LocationKey group) {
        int partition = PARTITIONS.of(new DocumentId("x", type, group, "x").location());
        FeedReply reply =
                node.removeGroup(new RemoveGroupRequest(header(), partition, type, group));
        if (!(reply instanceof FeedReply.Stored)) {
            throw new AssertionError(reply);
        }
    }

    static RequestHeader header() {
        return new RequestHeader(Principal.EVERYONE, 1, Deadline.after(Duration.ofSeconds(60)));
    }

    /** Returns a visit of all documents of {@code types}, with all of their fields. */
    static VisitRequest all(List<DocumentType> types, VisitForm form) {
        var fields = new LinkedHashMap<String, List<String>>();
        types.forEach(
                type -> fields.put(type.name(), type.fields().stream().map(Field::name).toList()));
        return new VisitRequest(
                header(),
                new VisitScope(0, "", VisitSlice.ALL, Optional.empty(), 0, Long.MAX_VALUE),
                fields,
                false,
                form,
                new PageLimits(1_000, 1 << 20));
    }

    /** Returns every page of a visit, of one partition after another. */
    List<VisitReply.Page> pages(VisitRequest request) {
        var pages = new ArrayList<VisitReply.Page>();
        for (int partition = 0; partition < PARTITIONS.count(); partition++) {
            Optional<DocumentId> after = Optional.empty();
            do {
                VisitReply reply = node.visit(at(request, partition, after));
                if (!(reply instanceof VisitReply.Page page)) {
                    throw new AssertionError(reply);
                }
                pages.add(page);
                after = page.last();
            } while (after.isPresent());
        }
        return pages;
    }

    static VisitRequest at(VisitRequest of, int partition, Optional<DocumentId> after) {
        return new VisitRequest(
                header(),
                new VisitScope(
                        partition,
                        of.scope().selection(),
                        of.scope().slice(),
                        after,
                        of.scope().fromTimestamp(),
                        of.scope().toTimestamp()),
                of.fields(),
                of.withRemoves(),
                of.form(),
                of.limits());
    }

    @Override
    public void close() {
        node.close();
    }
}
