/**
 * Reads documents, updates and field values from JSON token by token, and writes values as JSON.
 *
 * <p>Start reading at {@link org.crabro.document.json.DocumentReader}, then {@link
 * org.crabro.document.json.UpdateReader} and {@link org.crabro.document.json.FieldValueWriter}.
 * {@link org.crabro.document.json.OperationReader} reads lines of feed files.
 *
 * <p>{@link org.crabro.document.json.JsonScanner} reads common forms of JSON straight from bytes.
 * {@link org.crabro.document.json.JsonBytes} writes bytes, and {@link
 * org.crabro.document.json.DenseJson} writes dense tensors from their cells in memory. Callers that
 * know rows or columns use them without values in between.
 *
 * <p>The package does not depend on HTTP or on the answer that contains a document.
 */
@NullMarked
package org.crabro.document.json;

import org.jspecify.annotations.NullMarked;
