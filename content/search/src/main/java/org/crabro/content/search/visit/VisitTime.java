package org.crabro.content.search.visit;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The times that a page of a visit depends on.
 *
 * @param now whole seconds since 1970, for the selection
 * @param nanoTime the clock of deadlines
 * @param isStopping whether the node is being stopped, which ends the page
 */
record VisitTime(long now, LongSupplier nanoTime, BooleanSupplier isStopping) {}
