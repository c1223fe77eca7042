package org.crabro.container.query;

import java.time.Instant;
import org.crabro.protocol.wire.CancellationToken;
import org.crabro.protocol.wire.Principal;

/**
 * A search as it came, with everything that the world outside decides.
 *
 * @param client the name of the principal, or the address of a sender without credentials
 * @param arrivalNanos when it came, on the scale of {@link System#nanoTime()}: time-outs run from
 *     here
 * @param now what ranking takes for the present, unless the parameters say otherwise
 * @param acceptsCbor whether the sender would rather read CBOR than JSON
 * @param cancellation tells when the sender has left
 */
public record QueryRequest(
        Parameters parameters,
        Principal principal,
        String client,
        long arrivalNanos,
        Instant now,
        boolean acceptsCbor,
        CancellationToken cancellation) {}
