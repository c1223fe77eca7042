package org.crabro.container.query;

import org.crabro.protocol.wire.CancellationToken;
import org.crabro.protocol.wire.Principal;

/**
 * The sender of a search request.
 *
 * @param client the name of the principal, or the address of a sender without credentials
 * @param acceptsCbor whether the sender prefers CBOR to JSON
 * @param cancellation cancelled when the sender closes the connection
 */
public record QuerySender(
        Principal principal, String client, boolean acceptsCbor, CancellationToken cancellation) {}
