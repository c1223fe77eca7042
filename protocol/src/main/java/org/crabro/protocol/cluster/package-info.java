/**
 * Which partition a document belongs to, and which state of the cluster a sender knew.
 *
 * <p>Start reading at {@link org.crabro.protocol.cluster.Partitions}. Pure functions and values: no
 * clock, no thread, no socket.
 */
@NullMarked
package org.crabro.protocol.cluster;

import org.jspecify.annotations.NullMarked;
