package org.crabro.container.query;

import java.util.Optional;
import java.util.function.Function;
import org.crabro.protocol.wire.CancellationToken;
import org.crabro.protocol.wire.Principal;

/**
 * The sender of a search request.
 *
 * @param client the name of the principal, or the address of a sender without credentials
 * @param acceptsCbor whether the sender prefers CBOR to JSON
 * @param cancellation cancelled when the sender closes the connection
 * @param headers returns a header of the request, by its name in any case
 */
public record QuerySender(
        Principal principal,
        String client,
        boolean acceptsCbor,
        CancellationToken cancellation,
        Function<String, Optional<String>> headers) {
    /** The sender of a request without headers. */
    public QuerySender(
            Principal principal,
            String client,
            boolean acceptsCbor,
            CancellationToken cancellation) {
        this(principal, client, acceptsCbor, cancellation, _ -> Optional.empty());
    }
}
