/**
 * Grouping: what a request asks for, as written and as it is carried out, and partial results that
 * merge.
 *
 * <p>Start reading at {@link org.crabro.protocol.grouping.GroupingOperation}, the language as it is
 * written, then {@link org.crabro.protocol.grouping.GroupingRequest}, what {@link
 * org.crabro.protocol.grouping.GroupingPlanner} makes of it, then {@link
 * org.crabro.protocol.grouping.Group}, what comes back.
 *
 * <p>This package does not know schemas, columns or how a result is rendered.
 */
@NullMarked
package org.crabro.protocol.grouping;

import org.jspecify.annotations.NullMarked;
