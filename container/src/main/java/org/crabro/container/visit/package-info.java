/**
 * {@code /document/v1} for many documents: visits, updates and removals by selection, and groups.
 *
 * <p>Start reading at {@link org.crabro.container.visit.VisitHandler}. A {@code VisitPlan} orders
 * the partitions, a {@code VisitWalk} requests their pages, and a {@code VisitAnswer} writes them.
 * The server keeps no state of a visit between two requests: a {@code Continuation}, which the
 * client sends back, holds its position.
 *
 * <p>It reads through {@link org.crabro.container.visit.VisitReads}.
 */
@NullMarked
package org.crabro.container.visit;

import org.jspecify.annotations.NullMarked;
