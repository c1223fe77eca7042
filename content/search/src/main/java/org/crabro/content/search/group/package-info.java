/**
 * Grouping of all documents that match.
 *
 * <p>Start reading at {@link org.crabro.content.search.group.Grouping}, a request that is compiled
 * for a schema, then {@link org.crabro.content.search.group.GroupScan}, which one thread runs over
 * its rows.
 *
 * <p>Rows come in batches of one block, and expressions are evaluated over a batch at a time.
 * Groups have numbers, which are indexes into the arrays of their values. Strings have numbers too,
 * in a pool that is emptied after each batch, so each distinct string of a block is processed once.
 * Nothing is allocated per document. {@code GroupNode} has an {@code AggregateColumn} for each
 * aggregate of its groups, such as {@code WholeColumn} for {@code max} of whole numbers.
 *
 * <p>The package does not match or score rows, and does not fill hits.
 */
@NullMarked
package org.crabro.content.search.group;

import org.jspecify.annotations.NullMarked;
