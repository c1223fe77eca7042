/**
 * Predicates: conditions in documents on the attributes that a query has.
 *
 * <p>Start reading at {@link org.crabro.document.predicate.PredicateReader}, which has the grammar.
 * This package does not know queries and fields.
 */
@NullMarked
package org.crabro.document.predicate;

import org.jspecify.annotations.NullMarked;
