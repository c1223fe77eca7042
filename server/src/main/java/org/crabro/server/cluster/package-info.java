/**
 * Several servers that work as one: what the config server decides, and how the other servers
 * report to it.
 *
 * <p>Start reading at {@link org.crabro.server.cluster.ClusterController}. The rules of placement
 * are in {@link org.crabro.protocol.cluster}.
 */
@NullMarked
package org.crabro.server.cluster;

import org.jspecify.annotations.NullMarked;
