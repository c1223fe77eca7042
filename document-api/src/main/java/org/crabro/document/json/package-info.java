/**
 * Documents and field values from and to JSON, token by token.
 *
 * <p>Start reading at {@link org.crabro.document.json.DocumentReader} and {@link
 * org.crabro.document.json.FieldValueWriter}.
 *
 * <p>This package does not know HTTP, nor what surrounds a document in an answer.
 */
@NullMarked
package org.crabro.document.json;

import org.jspecify.annotations.NullMarked;
