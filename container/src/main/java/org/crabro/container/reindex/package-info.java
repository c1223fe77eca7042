/**
 * Runs stored documents through their indexing scripts again in the background, after a script has
 * changed or on request.
 *
 * <p>Start reading at {@link org.crabro.container.reindex.Reindexing}. It reads the documents of
 * one type after another, page by page. {@link org.crabro.container.reindex.ReindexRegister} stores
 * the requests and their progress on disk, so a restarted process continues. A document is written
 * only if its version has not changed since it was read. So no write of a client is lost, and
 * removed documents stay removed.
 *
 * <p>{@link org.crabro.container.reindex.ServedScripts} supplies the scripts of the active
 * application.
 */
@NullMarked
package org.crabro.container.reindex;

import org.jspecify.annotations.NullMarked;
