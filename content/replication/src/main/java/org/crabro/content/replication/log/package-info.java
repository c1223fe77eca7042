/**
 * The journal of a shard that is replicated: which rows count, at which position, and when a writer
 * knows that.
 *
 * <p>Start reading at {@link org.crabro.content.replication.log.ReplicatedJournal}. A consensus
 * library orders the entries ({@link org.crabro.content.replication.log.ConsensusLog}). This
 * package has no clock, no threads and no sockets, so that tests can simulate every order of
 * events.
 */
@NullMarked
package org.crabro.content.replication.log;

import org.jspecify.annotations.NullMarked;
