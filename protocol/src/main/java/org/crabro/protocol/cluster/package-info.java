/**
 * The partition of a document, and the nodes and shards of a content cluster.
 *
 * <p>Start reading at {@link org.crabro.protocol.cluster.Partitions}, then {@link
 * org.crabro.protocol.cluster.ClusterState} and {@link org.crabro.protocol.cluster.Placement}. The
 * package has pure functions and values, without clocks, threads and sockets.
 */
@NullMarked
package org.crabro.protocol.cluster;

import org.jspecify.annotations.NullMarked;
