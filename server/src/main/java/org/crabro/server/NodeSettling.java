package org.crabro.server;

import java.io.IOException;
import java.time.Duration;
import org.crabro.container.admin.DataSettling;
import org.crabro.content.ContentNode;
import org.crabro.content.recent.StoreBacklog;
import org.crabro.protocol.wire.Deadline;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Flushes and merges the data of the node in the same process. */
record NodeSettling(ContentNode node) implements DataSettling {
    private static final Logger LOG = LoggerFactory.getLogger(NodeSettling.class);

    @Override
    public Reply settle(Duration timeout) {
        try {
            return node.settle(Deadline.after(timeout))
                    ? new Reply.Settled()
                    : new Reply.TimedOut();
        } catch (IOException e) {
            LOG.warn("Not everything could be flushed and merged", e);
            return new Reply.Failed(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public Backlog backlog() {
        StoreBacklog left = node.backlog();
        return new Backlog(left.recentBytes(), left.unmergedPartitions());
    }
}
