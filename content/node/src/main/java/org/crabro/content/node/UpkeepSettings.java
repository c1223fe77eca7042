package org.crabro.content.node;

import org.crabro.content.storage.index.IndexSettings;
import org.crabro.content.storage.integrity.ScrubSettings;

/**
 * The background work of a node on stored data.
 *
 * @param flushOnClose whether closing flushes, so that the next start replays no journal
 * @param scrub how stored bytes are checked in the background
 * @param index when rows of types in mode {@code index} get an index
 */
public record UpkeepSettings(boolean flushOnClose, ScrubSettings scrub, IndexSettings index) {
    /** The default. */
    public static final UpkeepSettings DEFAULT =
            new UpkeepSettings(true, ScrubSettings.DEFAULT, IndexSettings.DEFAULT);

    /** Returns these settings with or without a flush when the node closes. */
    public UpkeepSettings withFlushOnClose(boolean flush) {
        return new UpkeepSettings(flush, scrub, index);
    }

    /** Returns these settings with other indexes. */
    public UpkeepSettings withIndex(IndexSettings other) {
        return new UpkeepSettings(flushOnClose, scrub, other);
    }
}
