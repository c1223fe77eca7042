/**
 * Token columns: the distinct tokens of a searched text field in a block, and the token of each
 * word position.
 *
 * <p>Start reading at {@link org.crabro.content.storage.block.token.TokenColumn}. A query looks a
 * word up in the {@link org.crabro.content.storage.block.token.TokenDictionary}. It reads {@link
 * org.crabro.content.storage.block.token.TokenNumbers} only if the word is in the dictionary.
 *
 * <p>This package does not depend on the other columns of a block.
 */
@NullMarked
package org.crabro.content.storage.block.token;

import org.jspecify.annotations.NullMarked;
