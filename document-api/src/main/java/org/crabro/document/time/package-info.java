/**
 * Numbers that are times: the units of fields, and texts of times.
 *
 * <p>Start reading at {@link org.crabro.document.time.TimeKind}. This package does not know schemas
 * and queries.
 */
@NullMarked
package org.crabro.document.time;

import org.jspecify.annotations.NullMarked;
