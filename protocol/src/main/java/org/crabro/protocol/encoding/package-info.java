/**
 * The bytes of documents and messages: one encoding for journal and wire.
 *
 * <p>Start reading at {@link org.crabro.protocol.encoding.RowEncoding}, then {@link
 * org.crabro.protocol.encoding.MessageEncoding}. {@code docs/formats} describes the formats.
 *
 * <p>The package does not depend on files, sockets or the effect of a message on a node.
 */
@NullMarked
package org.crabro.protocol.encoding;

import org.jspecify.annotations.NullMarked;
