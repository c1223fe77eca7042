/**
 * A content node: it stores, reads and searches documents.
 *
 * <p>Start reading at {@link org.crabro.content.ContentService}, then {@link
 * org.crabro.content.ContentNode}.
 *
 * <p>A node does not depend on HTTP or on the query language.
 */
@NullMarked
package org.crabro.content;

import org.jspecify.annotations.NullMarked;
