/**
 * Search requests from dispatch to a content node, and the replies.
 *
 * <p>Start reading at {@link org.crabro.protocol.search.SearchRequest}, then {@link
 * org.crabro.protocol.search.SearchReply}. Replies of several partitions or nodes merge into one.
 *
 * <p>The package does not depend on the execution of a search or on rendering.
 */
@NullMarked
package org.crabro.protocol.search;

import org.jspecify.annotations.NullMarked;
