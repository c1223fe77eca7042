/**
 * One process with any of the roles: settings in, parts built from the bottom up, closed in
 * reverse.
 *
 * <p>Start reading at {@link org.crabro.server.Crabro}, then {@link
 * org.crabro.server.CrabroServer}.
 *
 * <p>This package wires; it does not know how any of it works.
 */
@NullMarked
package org.crabro.server;

import org.jspecify.annotations.NullMarked;
