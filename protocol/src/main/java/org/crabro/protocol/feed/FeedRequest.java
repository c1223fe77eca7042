package org.crabro.protocol.feed;

import org.crabro.document.operation.DocumentOperation;
import org.crabro.protocol.wire.RequestHeader;

/**
 * Asks the owner of {@code partition} to carry out one operation.
 *
 * @param operation complete: indexing scripts have run
 */
public record FeedRequest(RequestHeader header, int partition, DocumentOperation operation) {}
