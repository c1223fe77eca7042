/**
 * Fields imported from other documents, the parents, as columns of the documents that refer to
 * them.
 *
 * <p>Start reading at {@link org.crabro.content.search.parent.Parents}: it finds the parents of one
 * search by id, each once. {@link org.crabro.content.search.parent.ImportedColumns} copies their
 * values into a column for the rows of a slice, so that all phases of a search read imported fields
 * like others. {@link org.crabro.content.search.parent.RowValues} finds the value of a single row
 * without a copy.
 *
 * <p>The package does not know how rows match, are scored or grouped.
 */
@NullMarked
package org.crabro.content.search.parent;

import org.jspecify.annotations.NullMarked;
