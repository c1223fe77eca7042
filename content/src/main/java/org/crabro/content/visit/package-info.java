/**
 * Which documents of a partition come next, and what is sent of them: pages in the order of keys.
 *
 * <p>Start reading at {@link org.crabro.content.visit.Visits}, then {@link
 * org.crabro.content.visit.PageVisit}.
 *
 * <p>This package does not know how a visit goes on behind a page, and keeps nothing between two:
 * each takes a view of its own and seeks the key that the one before ended with.
 */
@NullMarked
package org.crabro.content.visit;

import org.jspecify.annotations.NullMarked;
