/**
 * Reads documents, updates and field values from JSON token by token, and writes values as JSON.
 *
 * <p>Start reading at {@link org.crabro.document.json.DocumentReader}, then {@link
 * org.crabro.document.json.UpdateReader} and {@link org.crabro.document.json.FieldValueWriter}.
 * {@link org.crabro.document.json.OperationReader} reads lines of feed files.
 *
 * <p>The package does not depend on HTTP or on the answer that contains a document.
 */
@NullMarked
package org.crabro.document.json;

import org.jspecify.annotations.NullMarked;
