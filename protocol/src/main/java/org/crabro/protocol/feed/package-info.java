/**
 * Writes and reads of single documents, and removals of whole groups, as dispatch asks them of a
 * content node.
 *
 * <p>Start reading at {@link org.crabro.protocol.feed.FeedRequest}.
 *
 * <p>This package does not know what a message makes a node do.
 */
@NullMarked
package org.crabro.protocol.feed;

import org.jspecify.annotations.NullMarked;
