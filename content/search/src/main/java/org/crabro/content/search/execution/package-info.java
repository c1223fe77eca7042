/**
 * Answers searches: selects the best documents in order, with their summaries, features and groups,
 * and reports the cost.
 *
 * <p>Start reading at {@link org.crabro.content.search.execution.Search}, then {@link
 * org.crabro.content.search.execution.SearchExecution}, which lists the phases of a search. A team
 * of threads scans the blocks of a query in slices. Each thread keeps the best rows as numbers.
 * Only rows that are returned become objects.
 *
 * <p>This package does not depend on clients, the owner of a partition, or the format of a reply.
 */
@NullMarked
package org.crabro.content.search.execution;

import org.jspecify.annotations.NullMarked;
