/**
 * A content node: it stores documents, reads them and searches them.
 *
 * <p>Start reading at {@link org.crabro.content.ContentService}, then {@link
 * org.crabro.content.ContentNode}.
 *
 * <p>A node does not know HTTP, the query language, or who sends its requests.
 */
@NullMarked
package org.crabro.content;

import org.jspecify.annotations.NullMarked;
