/**
 * The log of a shard on Apache Ratis, and the server that connects the replicas.
 *
 * <p>Start reading at {@link org.crabro.content.replication.raft.RatisGroups}, then {@link
 * org.crabro.content.replication.raft.RatisLog}. {@link
 * org.crabro.content.replication.raft.Leadership} confirms readers, because the linearizable reads
 * of Ratis can be stale.
 *
 * <p>Only this package and {@link org.crabro.content.replication.raft.patch}, which has the uses of
 * the inside of Ratis, use Ratis. It does not know what an entry contains. A node without replicas
 * loads no class of it.
 */
@NullMarked
package org.crabro.content.replication.raft;

import org.jspecify.annotations.NullMarked;
