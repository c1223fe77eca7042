/**
 * Indexes of the rows of runs, for searches of all documents of a type in mode {@code index}: made
 * from the rows, in files beside the runs, and deleted and made again at any time.
 *
 * <p>Start reading at {@link org.crabro.content.storage.index.SectionIndex}, then {@link
 * org.crabro.content.storage.index.SectionIndexBuilder}. Only this package uses the indexes of
 * words, numbers and predicates of Apache Lucene.
 *
 * <p>This package does not know queries, views, dead rows of other runs, or when an index is made.
 */
@NullMarked
package org.crabro.content.storage.index;

import org.jspecify.annotations.NullMarked;
