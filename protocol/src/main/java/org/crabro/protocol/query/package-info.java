/**
 * The tree that says which documents match.
 *
 * <p>Start reading at {@link org.crabro.protocol.query.QueryNode}.
 *
 * <p>Nodes hold what the user wrote: how a word is folded or cut into tokens is for the field it is
 * looked up in to say, on the content node. This package does not know schemas or scores.
 */
@NullMarked
package org.crabro.protocol.query;

import org.jspecify.annotations.NullMarked;
