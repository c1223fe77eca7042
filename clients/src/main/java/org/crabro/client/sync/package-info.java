/**
 * Brings the documents of a source up to date: feeds those that have changed, and removes those
 * that the source does not have any more.
 *
 * <p>Each document says in a field which source it is from, and has a hash of its other fields. So
 * an import needs no file of its own to know what the last one did.
 *
 * <p>Start reading at {@link org.crabro.client.sync.SourceSync}.
 *
 * <p>This package does not know files or schemas.
 */
@NullMarked
package org.crabro.client.sync;

import org.jspecify.annotations.NullMarked;
