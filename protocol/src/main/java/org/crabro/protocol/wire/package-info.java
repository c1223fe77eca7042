/**
 * The header of every message between container and content.
 *
 * <p>Start reading at {@link org.crabro.protocol.wire.RequestHeader}.
 */
@NullMarked
package org.crabro.protocol.wire;

import org.jspecify.annotations.NullMarked;
