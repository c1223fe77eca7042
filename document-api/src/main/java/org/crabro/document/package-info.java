/**
 * Documents as values: ids, types, fields and field values.
 *
 * <p>Start reading at {@link org.crabro.document.DocumentId}, then {@link
 * org.crabro.document.Document}.
 *
 * <p>The package does not depend on formats, operations or storage.
 */
@NullMarked
package org.crabro.document;

import org.jspecify.annotations.NullMarked;
