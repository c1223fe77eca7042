/**
 * Checks and repairs of stored data: the inspection of a data directory, the background scrubber,
 * the rebuild of a lost manifest, the cut of a damaged journal, and the restore of a backup.
 *
 * <p>Start reading at {@link org.crabro.content.storage.integrity.Inspection} for the commands of
 * operators, and at {@link org.crabro.content.storage.integrity.Scrubber} for the background check.
 *
 * <p>This package repairs no run: a damaged run stays as it is.
 */
@NullMarked
package org.crabro.content.storage.integrity;

import org.jspecify.annotations.NullMarked;
