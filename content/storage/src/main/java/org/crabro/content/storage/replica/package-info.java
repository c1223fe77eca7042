/**
 * What a replica of a shard has on disk besides its runs, and how a new one gets copies of all
 * files.
 *
 * <p>Start reading at {@link org.crabro.content.storage.replica.ReplicaInstallation}. The other
 * side is a {@link org.crabro.content.storage.replica.ReplicaSource}; {@link
 * org.crabro.content.storage.replica.ReplicaExport} is the one over files. This package has no
 * sockets and no threads. It does not know what entries of the log contain, or who votes.
 */
@NullMarked
package org.crabro.content.storage.replica;

import org.jspecify.annotations.NullMarked;
