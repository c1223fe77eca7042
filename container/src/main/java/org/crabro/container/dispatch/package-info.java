/**
 * Sends each request to its content node, and checks the groups that its principal may touch.
 *
 * <p>Start reading at {@link org.crabro.container.dispatch.SearchDispatch}, then {@link
 * org.crabro.container.dispatch.DocumentNodes} and {@link
 * org.crabro.container.dispatch.SearchNodes}, the interfaces of the transports.
 *
 * <p>The package does not depend on HTTP or on the code of a node.
 */
@NullMarked
package org.crabro.container.dispatch;

import org.jspecify.annotations.NullMarked;
