/**
 * Reads the documents of a partition in the order of their keys, page by page.
 *
 * <p>Start reading at {@link org.crabro.content.search.visit.Visits}, then {@link
 * org.crabro.content.search.visit.PageVisit}.
 *
 * <p>The package keeps no state between two pages: each page opens its own view and seeks the last
 * key of the page before.
 */
@NullMarked
package org.crabro.content.search.visit;

import org.jspecify.annotations.NullMarked;
