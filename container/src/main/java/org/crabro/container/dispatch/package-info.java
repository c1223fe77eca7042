/**
 * Which content node a request goes to, and whether its sender may ask.
 *
 * <p>Start reading at {@link org.crabro.container.dispatch.SearchDispatch}, then {@link
 * org.crabro.container.dispatch.DocumentNodes} and {@link
 * org.crabro.container.dispatch.SearchNodes}: the transports, which others implement.
 *
 * <p>This package does not know HTTP, nor how a node does what it is asked.
 */
@NullMarked
package org.crabro.container.dispatch;

import org.jspecify.annotations.NullMarked;
