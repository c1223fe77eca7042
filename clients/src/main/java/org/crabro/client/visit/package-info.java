/**
 * Visits: reading many documents of a server.
 *
 * <p>Start reading at {@link org.crabro.client.visit.VisitClient}, then {@link
 * org.crabro.client.visit.SliceVisit}.
 *
 * <p>The package does not know what is done with the documents.
 */
@NullMarked
package org.crabro.client.visit;

import org.jspecify.annotations.NullMarked;
