/**
 * Text cut into words and folded: one analysis for documents and queries.
 *
 * <p>Start reading at {@link org.crabro.text.Tokenizer}, then {@link org.crabro.text.Folding}.
 * Everything that scans use works on UTF-8 bytes and allocates nothing per text; eight of them at a
 * time by {@link org.crabro.text.EightBytes}, as everything else does that reads bytes so.
 *
 * <p>This package does not know fields, languages or what a match is.
 */
@NullMarked
package org.crabro.text;

import org.jspecify.annotations.NullMarked;
