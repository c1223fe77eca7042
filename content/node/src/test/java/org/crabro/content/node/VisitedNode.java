package org.crabro.content.node;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Schema;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.LocationKey;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.protocol.feed.WriteReply;
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
    private final NodeFixture node;

    VisitedNode(LogFiles files, List<DocumentType> types) throws IOException {
        this.node =
                NodeFixture.open(NodeFixture.flushing(64 << 20, 4 << 20, 1 << 20), files)
                        .serving(model(types));
    }

    private static ApplicationModel model(List<DocumentType> types) {
        var schemas = new HashMap<String, Schema>();
        for (DocumentType type : types) {
            schemas.put(type.name(), new Schema(type.name(), type, Map.of()));
        }
        return NodeFixture.model(schemas);
    }

    void activate(List<DocumentType> types) {
        node.activate(model(types));
    }

    ContentNode node() {
        return node.node();
    }

    /** Performs an operation, and returns its timestamp. */
    long feed(DocumentOperation operation) {
        WriteReply reply = node.feed(operation);
        if (reply instanceof WriteReply.Stored(var timestamp, _)) {
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
        WriteReply reply = node.removeGroup(type, group);
        if (!(reply instanceof WriteReply.Stored)) {
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
        for (int partition = 0; partition < NodeFixture.PARTITIONS.count(); partition++) {
            Optional<DocumentId> after = Optional.empty();
            do {
                VisitReply reply = node.node().visit(at(request, partition, after));
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
