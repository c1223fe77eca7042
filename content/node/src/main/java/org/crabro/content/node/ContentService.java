package org.crabro.content.node;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.protocol.cluster.NodeHealth;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.OperationId;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.feed.WriteRequest;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.wire.RequestHeader;

/**
 * The operations of a content node. Every method blocks its caller, which may be a virtual thread.
 * Virtual threads do not touch mappings: the node's own threads do, and platform threads that call
 * {@link #search}.
 */
public interface ContentService extends AutoCloseable {
    /**
     * Activates a model for every request that begins afterwards. Requests that began before keep
     * the earlier model.
     */
    void activate(ApplicationModel model);

    /**
     * Carries out the writes of a request, and returns when each outcome is durable and visible, or
     * has failed.
     *
     * @return the outcome of each, in the order of the request
     */
    List<WriteReply> write(WriteRequest request);

    /**
     * Carries out one write: the same as a request of this write alone, but without lists.
     *
     * @param id of a sender that may send it again
     */
    WriteReply write(RequestHeader header, Write write, Optional<OperationId> id);

    /**
     * Reads the newest version of one document.
     *
     * @param hold the caller closes it when it does not need the values any more
     */
    GetReply get(GetRequest request, ReadHold hold);

    /** Reads the newest version of one document; its values do not count as held afterwards. */
    default GetReply get(GetRequest request) {
        try (var hold = new ReadHold()) {
            return get(request, hold);
        }
    }

    /** Searches one document type. */
    SearchReply search(SearchRequest request);

    /**
     * Reads the next page of a visit. When this returns, the node keeps no state of the visit: no
     * view and no file.
     */
    VisitReply visit(VisitRequest request);

    /**
     * Returns whether a document of a type is stored, even if the active model does not have the
     * type.
     *
     * @throws IOException if the stored documents cannot be read
     */
    boolean hasDocuments(String documentType) throws IOException;

    /**
     * Returns about how many stored documents of a type have a value in a field. Counts in a sample
     * if there are many documents.
     *
     * @param path the field, and the members of structs in it, with dots between them
     * @throws IOException if the stored documents cannot be read
     */
    long documentsWith(String documentType, String path) throws IOException;

    /** Returns whether the node accepts writes, and its other problems. */
    NodeHealth health();

    /** Makes all writes durable, waits for running requests and closes all files. */
    @Override
    void close();
}
