package org.crabro.container.bulk;

import org.crabro.container.document.BulkWrites;
import org.crabro.container.document.DocumentReads;
import org.crabro.container.document.SelectionFilter;
import org.crabro.container.document.ServedTypes;

/**
 * The types of an application, and the operations on stored documents that bulk requests use.
 *
 * @param filter drops puts that the selection of their cluster excludes, and carries out single
 *     operations
 */
public record BulkBackend(
        ServedTypes types, DocumentReads reads, SelectionFilter filter, BulkWrites writes) {}
