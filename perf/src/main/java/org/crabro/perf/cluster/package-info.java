/**
 * Clusters of servers on this machine, each a process of its own: histories of clients while
 * processes and links fail, and how long a failover takes.
 *
 * <p>Start reading at {@link org.crabro.perf.cluster.FaultsCommand}.
 */
@NullMarked
package org.crabro.perf.cluster;

import org.jspecify.annotations.NullMarked;
