/**
 * Immutable, sorted files of documents: how they are written, named, read and merged.
 *
 * <p>A partition's log is a row of runs. A run is written once, forced, named in the partition's
 * manifest and mapped read-only until no view needs it. Rows of one type lie together in blocks,
 * column by column. Where bytes lie is told in {@link org.crabro.content.run.BlockLayout}, {@link
 * org.crabro.content.run.RunLayout} and {@link org.crabro.content.run.ManifestLayout}, and nowhere
 * else; the pages are {@code docs/formats/run.md} and {@code docs/formats/manifest.md}.
 *
 * <p>Start reading at {@link org.crabro.content.run.View}, then {@link
 * org.crabro.content.run.Block}, then {@link org.crabro.content.run.RunLog}.
 *
 * <p>Neighbouring runs of about one size are merged, a range of keys at a time: {@link
 * org.crabro.content.run.MergePolicy} chooses, {@link org.crabro.content.run.RunMerge} writes.
 *
 * <p>This package does not know what a query is, who writes, or on which thread runs are merged.
 */
@NullMarked
package org.crabro.content.run;

import org.jspecify.annotations.NullMarked;
