/**
 * Checks of stored runs: the inspection of a data directory, the background scrubber, and the
 * rebuild of a lost manifest.
 *
 * <p>Start reading at {@link org.crabro.content.integrity.PartitionInspection} for the commands of
 * operators, and at {@link org.crabro.content.integrity.Scrubber} for the background check.
 *
 * <p>This package repairs no run: a damaged run stays as it is.
 */
@NullMarked
package org.crabro.content.integrity;

import org.jspecify.annotations.NullMarked;
