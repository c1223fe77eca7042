/**
 * Answers the requests of containers in other processes: a content node that listens.
 *
 * <p>Start reading at {@link org.crabro.content.node.wire.ContentServer}, then {@code NodeCall},
 * which receives a request and sends its reply, and {@code NodeRequests}, which executes it.
 *
 * <p>Other nodes copy replicas: {@link org.crabro.content.node.wire.ReplicaExports} has the files,
 * {@link org.crabro.content.node.wire.RemoteReplica} reads them.
 *
 * <p>The package does not know how a node executes a request. Event loops of the network library
 * never execute one: {@code NodeThreads} does.
 */
@NullMarked
package org.crabro.content.node.wire;

import org.jspecify.annotations.NullMarked;
