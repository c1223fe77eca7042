/**
 * A content node: it stores, reads and searches documents.
 *
 * <p>Start reading at {@link org.crabro.content.node.ContentService}, then {@link
 * org.crabro.content.node.ContentNode}.
 *
 * <p>A node does not depend on HTTP or on the query language.
 */
@NullMarked
package org.crabro.content.node;

import org.jspecify.annotations.NullMarked;
