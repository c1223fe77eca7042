package org.crabro.container.visit;

import org.crabro.container.document.DocumentWrites;

/**
 * The operations on stored documents that visits use.
 *
 * @param reads reads pages
 * @param writes writes for clients, through processors and indexing scripts
 * @param copies writes stored documents unchanged
 * @param updates reads the update of a request on a selection
 * @param removals removes whole groups
 */
public record VisitBackend(
        VisitReads reads,
        DocumentWrites writes,
        DocumentWrites copies,
        SelectionUpdates updates,
        GroupRemovals removals) {}
