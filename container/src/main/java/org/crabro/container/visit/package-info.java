/**
 * Many documents at once over HTTP: what the paths of {@code /document/v1} that name no single
 * document are asked.
 *
 * <p>Start reading at {@link org.crabro.container.visit.VisitHandler}. A {@code VisitPlan} says
 * which partitions are gone through in which order, a {@code VisitWalk} asks for their pages, and a
 * {@code VisitAnswer} writes them. Nothing is kept for a visit between two requests: how far it
 * came is told by a {@code Continuation}, which the client brings back.
 *
 * <p>This package does not know which node keeps a partition, nor how it reads one: it asks through
 * {@link org.crabro.container.visit.VisitReads}.
 */
@NullMarked
package org.crabro.container.visit;

import org.jspecify.annotations.NullMarked;
