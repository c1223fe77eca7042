/**
 * Dead rows: rows that are stored and must not be seen.
 *
 * <p>A row is
 *
 * <ul>
 *   <li><em>superseded</em> if there is a newer row of the same document: {@link
 *       org.crabro.content.storage.dead.SupersededRows}
 *   <li><em>removed</em> if there is a newer removal of its group, a {@link
 *       org.crabro.content.storage.dead.GroupTombstone}: {@link
 *       org.crabro.content.storage.dead.RemovedRows} in files, {@link
 *       org.crabro.content.storage.dead.RemovedGroups} in views
 *   <li><em>replaced</em> if it is superseded or removed: {@link
 *       org.crabro.content.storage.dead.ReplacedRows}
 *   <li><em>dead</em> if it is replaced or a tombstone: {@link
 *       org.crabro.content.storage.dead.DeadRows} of a block, {@link
 *       org.crabro.content.storage.dead.RunDeadRows} of a run
 * </ul>
 *
 * <p>This package does not find replaced rows, and does not open run files.
 */
@NullMarked
package org.crabro.content.storage.dead;

import org.jspecify.annotations.NullMarked;
