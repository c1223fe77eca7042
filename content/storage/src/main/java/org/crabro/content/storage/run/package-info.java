/**
 * Run files: immutable, sorted files of documents, how they are written and read.
 *
 * <p>A run is written once, forced, listed in the manifest, and mapped read-only until the last
 * view releases it. Start reading at {@link org.crabro.content.storage.run.Run}, then {@link
 * org.crabro.content.storage.run.RunSection}, the blocks of one document type. {@link
 * org.crabro.content.storage.run.RunView} reads all runs of a partition at one moment; {@link
 * org.crabro.content.storage.run.RunWriter} writes a run and finds the older rows that it
 * supersedes.
 *
 * <p>This package does not decide which runs are merged, nor when.
 */
@NullMarked
package org.crabro.content.storage.run;

import org.jspecify.annotations.NullMarked;
