/**
 * The document selection language, which visits, conditions and expiry use.
 *
 * <p>Start reading at {@link org.crabro.document.select.Selection}. A text is parsed to a {@code
 * Condition} over {@code SelectionExpression}s, checked against the document types, and evaluated
 * with three truth values: for one document by {@code Evaluation}, for many rows in columns by
 * {@link org.crabro.document.select.BatchSelection}.
 */
@NullMarked
package org.crabro.document.select;

import org.jspecify.annotations.NullMarked;
