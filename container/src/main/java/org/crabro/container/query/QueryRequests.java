package org.crabro.container.query;

import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import org.crabro.container.http.Accepted;
import org.crabro.container.http.ClientName;
import org.crabro.container.http.ClientWatch;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.server.Request;

/**
 * Adds sender and time to the parameters of a request.
 *
 * @param principals returns the sender of a request
 * @param clock returns the present for ranking
 */
public record QueryRequests(Function<Request, Principal> principals, InstantSource clock) {
    /**
     * Returns the search request that {@code request} contains.
     *
     * @param arrivalNanos when it arrived, on the scale of {@link System#nanoTime()}
     */
    public QueryRequest of(Request request, Parameters parameters, long arrivalNanos) {
        Principal principal = principals.apply(request);
        return new QueryRequest(
                parameters,
                new QuerySender(
                        principal,
                        ClientName.of(principal, request),
                        Accepted.isCborPreferred(request.getHeaders()),
                        ClientWatch.of(request),
                        name ->
                                Optional.ofNullable(request.getHeaders().get(name))
                                        .filter(value -> !value.isBlank())),
                arrivalNanos,
                clock.instant());
    }
}
