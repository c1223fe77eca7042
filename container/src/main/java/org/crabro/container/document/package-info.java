/**
 * {@code /document/v1} for single documents: put, update, get and remove over HTTP.
 *
 * <p>Start reading at {@link org.crabro.container.document.DocumentHandler}, then {@link
 * org.crabro.container.document.DocumentPath}.
 *
 * <p>It reads through {@link org.crabro.container.document.DocumentReads}, or {@link
 * org.crabro.container.document.DocumentTexts} if values do not fit in memory, and writes through
 * {@link org.crabro.container.document.DocumentWrites}. {@link
 * org.crabro.container.document.JsonRowPuts} encodes most puts as rows, without values in between.
 * The package passes requests about many documents to {@link
 * org.crabro.container.document.ManyDocuments}.
 */
@NullMarked
package org.crabro.container.document;

import org.jspecify.annotations.NullMarked;
