/**
 * Sends requests to content nodes in other processes.
 *
 * <p>Start reading at {@link org.crabro.container.wire.NodeConnections}, then {@link
 * org.crabro.container.wire.NodeClient}, and {@code OutgoingCall}, which sends a request and
 * receives its reply. {@code FailureReplies} has the reply for each failure.
 *
 * <p>The package does not choose nodes and sends no request twice.
 */
@NullMarked
package org.crabro.container.wire;

import org.jspecify.annotations.NullMarked;
