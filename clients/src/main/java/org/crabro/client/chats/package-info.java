/**
 * Chats that a messenger has exported as text.
 *
 * <p>Start reading at {@link org.crabro.client.chats.ChatText}.
 *
 * <p>This package does not know files, schemas or servers.
 */
@NullMarked
package org.crabro.client.chats;

import org.jspecify.annotations.NullMarked;
