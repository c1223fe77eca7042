/**
 * Dead rows: rows that are stored and must not be seen.
 *
 * <p>A row is <em>superseded</em> by a newer row of the same document. It is <em>removed</em> by a
 * newer removal of its group, a {@link org.crabro.content.dead.GroupTombstone}. It is <em>dead</em>
 * if it is superseded, removed, or a tombstone. {@link org.crabro.content.dead.DeadRows} has the
 * dead rows of one block.
 *
 * <p>This package does not find superseded rows, and it does not open run files.
 */
@NullMarked
package org.crabro.content.dead;

import org.jspecify.annotations.NullMarked;
