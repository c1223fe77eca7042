package org.crabro.content.storage.integrity;

import java.time.Instant;
import java.util.Optional;

/**
 * The background checks since the node was opened.
 *
 * @param bytes read so far
 * @param passes the number of completed full passes
 * @param lastPass the end of the last completed pass
 * @param damagedFiles the number of runs with known damage
 */
public record ScrubStatistics(
        long bytes, long passes, Optional<Instant> lastPass, int damagedFiles) {}
