/**
 * Messages between dispatch and content nodes: writes, and reads of single documents.
 *
 * <p>Start reading at {@link org.crabro.protocol.feed.WriteRequest}.
 *
 * <p>The package does not depend on the effect of a message on a node.
 */
@NullMarked
package org.crabro.protocol.feed;

import org.jspecify.annotations.NullMarked;
