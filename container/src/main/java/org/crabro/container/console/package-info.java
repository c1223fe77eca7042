/**
 * The web console of the config port, below {@code /console/}: static files, and what they read.
 *
 * <p>Start reading at {@link org.crabro.container.console.ConsoleHandler}. The pages are in the
 * resources of this package. They are plain ES modules, without a build step.
 *
 * <p>Queries and documents are answered by the handlers of the container, which checks the
 * permissions of the sender itself. In a cluster, {@link
 * org.crabro.container.console.ContainerForwarding} sends them to a container. No request names a
 * host.
 */
@NullMarked
package org.crabro.container.console;

import org.jspecify.annotations.NullMarked;
