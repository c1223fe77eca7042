/**
 * The uses of the inside of Ratis: private fields, a name of threads, classes that extend its gRPC
 * transport or read its files, and calls that its interfaces do not offer.
 *
 * <p>Start reading at {@link org.crabro.content.replication.raft.patch.RatisPatches}, which checks
 * the release of Ratis when a server opens its groups. {@code docs/raft-patches.md} says for each
 * use what fails without it.
 *
 * <p>In this module, only this package uses reflection and the implementation of Ratis. It does not
 * know shards, records and runs.
 */
@NullMarked
package org.crabro.content.replication.raft.patch;

import org.jspecify.annotations.NullMarked;
