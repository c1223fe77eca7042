/**
 * Commands for clusters of several servers: a cluster on this machine to try failures with, the
 * state of any cluster, and certificates for its hosts.
 *
 * <p>Start reading at {@link org.crabro.client.cluster.LocalCluster}.
 *
 * <p>The package does not depend on the code of a server: it starts servers as processes of their
 * own.
 */
@NullMarked
package org.crabro.client.cluster;

import org.jspecify.annotations.NullMarked;
