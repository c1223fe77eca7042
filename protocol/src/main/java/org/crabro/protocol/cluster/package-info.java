/**
 * The partition of a document, and the version of the cluster state that a sender has seen.
 *
 * <p>Start reading at {@link org.crabro.protocol.cluster.Partitions}. The package has pure
 * functions and values, without clocks, threads and sockets.
 */
@NullMarked
package org.crabro.protocol.cluster;

import org.jspecify.annotations.NullMarked;
