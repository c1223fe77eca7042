/**
 * Tokenizing and folding of text, the same for documents and queries.
 *
 * <p>Start reading at {@link org.crabro.text.Tokenizer}, then {@link org.crabro.text.Folding}. Code
 * that scans use works on UTF-8 bytes and allocates nothing per text. {@link
 * org.crabro.text.EightBytes} processes eight bytes at a time, here and in other packages. {@link
 * org.crabro.text.Excerpt} cuts long texts that messages show. {@link org.crabro.text.Glob} matches
 * names with patterns.
 *
 * <p>The package does not depend on fields or matching.
 */
@NullMarked
package org.crabro.text;

import org.jspecify.annotations.NullMarked;
