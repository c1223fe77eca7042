/**
 * An interactive prompt for queries. {@link org.crabro.client.shell.Shell} reads statements and
 * runs them; {@link org.crabro.client.shell.YqlCompletion} completes words, without a terminal.
 * Only {@link org.crabro.client.shell.TerminalInput} uses JLine, so that commands without a
 * terminal do not load it.
 */
@NullMarked
package org.crabro.client.shell;

import org.jspecify.annotations.NullMarked;
