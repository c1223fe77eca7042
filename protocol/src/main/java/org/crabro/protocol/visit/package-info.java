/**
 * Messages of visits, which read many documents in the order of their keys, page by page.
 *
 * <p>Start reading at {@link org.crabro.protocol.visit.VisitRequest}.
 *
 * <p>The package does not depend on the purpose of a visit.
 */
@NullMarked
package org.crabro.protocol.visit;

import org.jspecify.annotations.NullMarked;
