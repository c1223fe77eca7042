/**
 * Waits for servers in other processes: as long as they work, however slow the machine is.
 *
 * <p>Start reading at {@link org.crabro.client.process.ProgressWatch}.
 *
 * <p>The package starts no process and sends no requests.
 */
@NullMarked
package org.crabro.client.process;

import org.jspecify.annotations.NullMarked;
