package org.crabro.protocol.feed;

import org.crabro.protocol.wire.RequestHeader;

/**
 * Asks the owner of a partition to write one row where a condition holds.
 *
 * @param write complete: indexing scripts have run
 */
public record FeedRowRequest(RequestHeader header, ConditionalWrite write) {}
