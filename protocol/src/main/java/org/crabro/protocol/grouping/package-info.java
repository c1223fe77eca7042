/**
 * Grouping: the request as it is written, the request as it is executed, and partial results that
 * merge.
 *
 * <p>Start reading at {@link org.crabro.protocol.grouping.GroupingOperation}, the language as it is
 * written. {@link org.crabro.protocol.grouping.GroupingPlanner} compiles it to a {@link
 * org.crabro.protocol.grouping.GroupingRequest}. A {@link org.crabro.protocol.grouping.Group} is a
 * result.
 *
 * <p>The package does not depend on schemas, columns or rendering.
 */
@NullMarked
package org.crabro.protocol.grouping;

import org.jspecify.annotations.NullMarked;
