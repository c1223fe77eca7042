/**
 * Feeds documents to a server over HTTP.
 *
 * <p>Start reading at {@link org.crabro.client.feed.BulkFeeder}, and for one operation a request at
 * {@link org.crabro.client.feed.FeedClient}.
 *
 * <p>This package does not know how a server works inside; it speaks {@code /document/v1} alone.
 */
@NullMarked
package org.crabro.client.feed;

import org.jspecify.annotations.NullMarked;
