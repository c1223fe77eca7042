package org.crabro.protocol.visit;

import java.util.Optional;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;

/**
 * One document that a visit came to.
 *
 * @param timestamp of this version, microseconds since the epoch
 * @param isRemoved whether this tells of a removal
 * @param document with the fields asked for; nothing for a removal, and where only ids were asked
 *     for
 */
public record VisitedDocument(
        DocumentId id, long timestamp, boolean isRemoved, Optional<Document> document) {}
