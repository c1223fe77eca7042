/**
 * Backups of a store, and the version of a data directory.
 *
 * <p>Start reading at {@link org.crabro.content.storage.backup.Backup}, then {@link
 * org.crabro.content.storage.backup.BackupList}, the list of the files of a backup. {@link
 * org.crabro.content.storage.backup.DataVersion} says what a directory contains.
 *
 * <p>This package does not check or restore a backup.
 */
@NullMarked
package org.crabro.content.storage.backup;

import org.jspecify.annotations.NullMarked;
