package org.crabro.protocol.visit;

import java.util.Optional;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;

/**
 * One document of a visit.
 *
 * @param timestamp of this version, microseconds since the epoch
 * @param isRemoved whether the document was removed
 * @param document with the requested fields; empty for a removal, or if only ids were requested
 */
public record VisitedDocument(
        DocumentId id, long timestamp, boolean isRemoved, Optional<Document> document) {}
