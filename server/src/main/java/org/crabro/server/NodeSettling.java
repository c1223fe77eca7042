package org.crabro.server;

import java.io.IOException;
import java.time.Duration;
import org.crabro.container.admin.DataSettling;
import org.crabro.content.node.ContentNode;
import org.crabro.content.storage.store.StoreBacklog;
import org.crabro.protocol.wire.Deadline;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Flushes and merges the data of the nodes in the same process, one after another. */
record NodeSettling(ContentStores stores) implements DataSettling {
    private static final Logger LOG = LoggerFactory.getLogger(NodeSettling.class);

    @Override
    public Reply settle(Duration timeout) {
        try {
            Deadline deadline = Deadline.after(timeout);
            boolean isSettled = true;
            for (ContentNode node : stores.nodes()) {
                // Each node is flushed, even if no time is left for merges.
                isSettled &= node.settle(deadline);
            }
            return isSettled ? new Reply.Settled() : new Reply.TimedOut();
        } catch (IOException e) {
            LOG.warn("Not everything could be flushed and merged", e);
            return new Reply.Failed(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public Backlog backlog() {
        long recentBytes = 0;
        int unmerged = 0;
        for (ContentNode node : stores.nodes()) {
            StoreBacklog left = node.backlog();
            recentBytes += left.recentBytes();
            unmerged += left.unmergedPartitions();
        }
        return new Backlog(recentBytes, unmerged);
    }
}
