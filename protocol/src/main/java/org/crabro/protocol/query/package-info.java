/**
 * The tree of conditions that documents match.
 *
 * <p>Start reading at {@link org.crabro.protocol.query.QueryNode}.
 *
 * <p>Nodes hold the text of the user. The content node folds a word and cuts it into tokens as its
 * field demands. This package does not depend on schemas or scores.
 */
@NullMarked
package org.crabro.protocol.query;

import org.jspecify.annotations.NullMarked;
