package org.crabro.content.integrity;

import java.time.Instant;
import java.util.Optional;

/**
 * What was checked in the background since the node was opened.
 *
 * @param bytes that were read
 * @param passes over everything that came to their end
 * @param lastPass when the last of them did
 * @param damagedFiles runs in which damage is known
 */
public record ScrubStatistics(
        long bytes, long passes, Optional<Instant> lastPass, int damagedFiles) {}
