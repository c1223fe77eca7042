/**
 * What every message between container and content carries, whatever it asks.
 *
 * <p>Start reading at {@link org.crabro.protocol.wire.RequestHeader}.
 */
@NullMarked
package org.crabro.protocol.wire;

import org.jspecify.annotations.NullMarked;
