package org.crabro.content;

import org.crabro.content.integrity.ScrubSettings;

/**
 * The background work of a node on stored data.
 *
 * @param flushOnClose whether closing flushes, so that the next start replays no journal
 * @param scrub how stored bytes are checked in the background
 */
public record UpkeepSettings(boolean flushOnClose, ScrubSettings scrub) {
    /** The default. */
    public static final UpkeepSettings DEFAULT = new UpkeepSettings(true, ScrubSettings.DEFAULT);
}
