/**
 * The command line, as far as it only talks to servers.
 *
 * <p>Start reading at {@link org.crabro.client.cli.DemoCommand}.
 *
 * <p>This package does not know how a server works inside: it starts one as a process and speaks
 * HTTP.
 */
@NullMarked
package org.crabro.client.cli;

import org.jspecify.annotations.NullMarked;
