/**
 * The web console of the config port, below {@code /console/}: static files, and what they read.
 *
 * <p>Start reading at {@link org.crabro.container.console.ConsoleHandler}. The pages are in the
 * resources of this package. They are plain ES modules, without a build step.
 *
 * <p>This package sends no request to another process. Queries and documents are answered by the
 * handlers of the container, which check the permissions of the sender themselves.
 */
@NullMarked
package org.crabro.container.console;

import org.jspecify.annotations.NullMarked;
