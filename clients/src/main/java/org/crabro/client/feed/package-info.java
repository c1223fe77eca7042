/**
 * Feeds documents to a server over HTTP.
 *
 * <p>Start reading at {@link org.crabro.client.feed.BulkFeeder}. {@link
 * org.crabro.client.feed.FeedClient} sends one operation per request.
 *
 * <p>The package uses {@code /document/v1} only and does not depend on the code of a server.
 */
@NullMarked
package org.crabro.client.feed;

import org.jspecify.annotations.NullMarked;
