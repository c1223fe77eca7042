package org.crabro.protocol.visit;

import org.crabro.document.LocationKey;

/**
 * One group of a visit.
 *
 * @param key {@link LocationKey.Plain} for documents without a group
 * @param documents the number of selected documents
 * @param bytes their approximate stored size; in a block with other documents, their share by
 *     number
 */
public record VisitedGroup(LocationKey key, long documents, long bytes) {}
