/**
 * Commands that talk to a server over HTTP.
 *
 * <p>Start reading at {@link org.crabro.client.cli.DemoCommand}.
 *
 * <p>{@link org.crabro.client.cli.DemoCommand} starts a server as a process of its own. The package
 * does not depend on the code of a server: commands that need it are in package {@code server},
 * which also lists all commands.
 */
@NullMarked
package org.crabro.client.cli;

import org.jspecify.annotations.NullMarked;
