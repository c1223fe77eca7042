/**
 * A search as dispatch asks it of a content node, and what the node answers.
 *
 * <p>Start reading at {@link org.crabro.protocol.search.SearchRequest}, then {@link
 * org.crabro.protocol.search.SearchReply}. Replies of several partitions or nodes merge into one.
 *
 * <p>This package does not know how a node finds its answer, nor how it is rendered.
 */
@NullMarked
package org.crabro.protocol.search;

import org.jspecify.annotations.NullMarked;
