/**
 * The bytes of mapped files: loading pages before they are used, counting device reads and the work
 * of a query, and recording damage.
 *
 * <p>Start reading at {@link org.crabro.content.storage.file.RunBytes}, a mapped file. {@link
 * org.crabro.content.storage.file.Extents} are byte ranges to load. {@link
 * org.crabro.content.storage.file.ReadContext} counts the reads of one request and collects the
 * rows that it could not read. {@link org.crabro.content.storage.file.DamageRegister} remembers
 * damaged files. {@link org.crabro.content.storage.file.ReferenceCount} tells when a mapping is not
 * used any more. {@link org.crabro.content.storage.file.WorkMeter} counts work on what was read,
 * and ends it.
 *
 * <p>This package does not interpret the bytes of a file.
 */
@NullMarked
package org.crabro.content.storage.file;

import org.jspecify.annotations.NullMarked;
