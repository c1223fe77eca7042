/**
 * The bytes of documents and messages: one encoding for journal and wire.
 *
 * <p>Start reading at {@link org.crabro.protocol.encoding.RowEncoding}, then {@link
 * org.crabro.protocol.encoding.MessageEncoding}. The formats are written down in {@code
 * docs/formats}.
 *
 * <p>This package does not know files, sockets or what a message makes a node do.
 */
@NullMarked
package org.crabro.protocol.encoding;

import org.jspecify.annotations.NullMarked;
