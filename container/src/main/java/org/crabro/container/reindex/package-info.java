/**
 * Stored documents through their indexing scripts again, in the background, after a script changed
 * or because somebody asked.
 *
 * <p>Start reading at {@link org.crabro.container.reindex.Reindexing}, which goes through the
 * documents of one type after another, page by page. What is asked for and how far it came stands
 * in a {@link org.crabro.container.reindex.ReindexRegister}, which is on disk: so a restart goes on
 * where the process ended. A document is written only where its version is the one still that was
 * read: no write of a client is lost, and what was removed stays removed.
 *
 * <p>This package does not know who asks, nor how scripts run; it is given those of the application
 * that is active as {@link org.crabro.container.reindex.ServedScripts}.
 */
@NullMarked
package org.crabro.container.reindex;

import org.jspecify.annotations.NullMarked;
