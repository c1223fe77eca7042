/**
 * Groups: what is made of all documents that match, besides the best of them.
 *
 * <p>Start reading at {@link org.crabro.content.group.Grouping}, a request compiled for a schema,
 * then {@link org.crabro.content.group.GroupScan}, what a thread makes of the rows that it is
 * given.
 *
 * <p>Rows come in batches of one block and expressions are evaluated over a batch at a time. Groups
 * are numbers; what is kept of them lies in arrays by those numbers. Strings are numbers too, of a
 * pool that is emptied with each batch, so that each different one of a block is looked at once.
 * Nothing is allocated per document.
 *
 * <p>This package does not know which rows match, how they are scored, or what is shown of hits.
 */
@NullMarked
package org.crabro.content.group;

import org.jspecify.annotations.NullMarked;
