/**
 * Documents as values: ids, types, fields and their values.
 *
 * <p>Start reading at {@link org.crabro.document.DocumentId}, then {@link
 * org.crabro.document.Document}.
 *
 * <p>This package does not know any format, what an operation is, or where a document is stored.
 */
@NullMarked
package org.crabro.document;

import org.jspecify.annotations.NullMarked;
