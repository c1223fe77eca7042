/**
 * Going through many documents in the order in which they lie, a page at a time.
 *
 * <p>Start reading at {@link org.crabro.protocol.visit.VisitRequest}.
 *
 * <p>This package does not know who wants the documents, or as what they are sent on.
 */
@NullMarked
package org.crabro.protocol.visit;

import org.jspecify.annotations.NullMarked;
