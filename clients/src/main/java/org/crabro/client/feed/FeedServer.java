package org.crabro.client.feed;

import java.net.URI;
import java.net.http.HttpRequest;

/**
 * The server that operations are sent to.
 *
 * @param address the port for documents
 * @param token a bearer token that all requests carry; empty for none
 */
public record FeedServer(URI address, String token) {
    /** A server whose requests carry no token. */
    public FeedServer(URI address) {
        this(address, "");
    }

    /**
     * Returns a request to this server, with the token if there is one.
     *
     * @param place an absolute address, or one below {@link #address}
     */
    public HttpRequest.Builder request(URI place) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address.resolve(place));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return request;
    }

    /** Returns the address without the token, which must not reach logs. */
    @Override
    public String toString() {
        return address.toString();
    }
}
