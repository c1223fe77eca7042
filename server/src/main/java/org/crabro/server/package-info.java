/**
 * One process with any of the roles. It reads settings, builds the parts from the bottom up and
 * closes them in reverse.
 *
 * <p>Start reading at {@link org.crabro.server.Crabro}, then {@link
 * org.crabro.server.CrabroServer}.
 *
 * <p>The package connects the parts, and has the commands that run in a process with the code of a
 * server, such as {@code InspectCommand}.
 */
@NullMarked
package org.crabro.server;

import org.jspecify.annotations.NullMarked;
