package org.crabro.content;

import java.io.IOException;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.protocol.cluster.NodeHealth;
import org.crabro.protocol.feed.FeedBatchReply;
import org.crabro.protocol.feed.FeedBatchRequest;
import org.crabro.protocol.feed.FeedReply;
import org.crabro.protocol.feed.FeedRequest;
import org.crabro.protocol.feed.FeedRowRequest;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.RemoveGroupRequest;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;

/**
 * What a content node does for others. Every method blocks its caller, which may be a virtual
 * thread: mappings are touched by the node's own threads alone.
 */
public interface ContentService extends AutoCloseable {
    /**
     * Takes over a model: what it says holds for every request that begins afterwards. Requests
     * that began before end with the model they began with.
     */
    void activate(ApplicationModel model);

    /** Carries out one operation and returns when its outcome is durable and visible. */
    FeedReply feed(FeedRequest request);

    /** Writes one row where its condition holds, and returns when that is durable and visible. */
    FeedReply feed(FeedRowRequest request);

    /**
     * Carries out many writes and returns when all outcomes are durable and visible, or will not
     * be.
     */
    FeedBatchReply feed(FeedBatchRequest request);

    /**
     * Removes the documents of a type in one group, and returns when that is durable and visible.
     */
    FeedReply removeGroup(RemoveGroupRequest request);

    /**
     * Reads the newest version of one document.
     *
     * @param hold closed when its values are not needed any more
     */
    GetReply get(GetRequest request, ReadHold hold);

    /** Reads the newest version of one document, whose values nobody counts afterwards. */
    default GetReply get(GetRequest request) {
        try (var hold = new ReadHold()) {
            return get(request, hold);
        }
    }

    /** Searches one document type. */
    SearchReply search(SearchRequest request);

    /**
     * Reads the next page of a visit. Nothing is kept of it when this returns: no view, no file.
     */
    VisitReply visit(VisitRequest request);

    /**
     * Returns whether a document of a type is stored, known to the active model or not.
     *
     * @throws IOException if that cannot be told, since what is stored cannot be read
     */
    boolean hasDocuments(String documentType) throws IOException;

    /** Returns whether this takes writes, and what else does not work. */
    NodeHealth health();

    /** Makes everything durable, waits for requests under way and lets all files go. */
    @Override
    void close();
}
