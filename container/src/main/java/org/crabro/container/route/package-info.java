/**
 * Decides which content clusters an operation goes to, and merges their outcomes into one.
 *
 * <p>Start reading at {@link org.crabro.container.route.RoutedDocuments}. A write for several
 * clusters is sent to one after another.
 *
 * <p>This package does not know HTTP, nor which node of a cluster answers.
 */
@NullMarked
package org.crabro.container.route;

import org.jspecify.annotations.NullMarked;
