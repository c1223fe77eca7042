/**
 * Documents, updates and field values from JSON, token by token, and values to JSON.
 *
 * <p>Start reading at {@link org.crabro.document.json.DocumentReader}, then {@link
 * org.crabro.document.json.UpdateReader} and {@link org.crabro.document.json.FieldValueWriter}.
 * {@link org.crabro.document.json.OperationReader} reads lines of feed files.
 *
 * <p>This package does not know HTTP, nor what surrounds a document in an answer.
 */
@NullMarked
package org.crabro.document.json;

import org.jspecify.annotations.NullMarked;
