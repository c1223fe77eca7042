package org.crabro.container.trace;

import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * Where spans are sent.
 *
 * @param endpoint the address of a collector that accepts OTLP over HTTP, such as {@code
 *     http://127.0.0.1:4318/v1/traces}; empty to send none, at most one
 * @param share of the requests without a trace of their sender that begin one
 * @param queueSpans spans that wait to be sent. Further spans are dropped and counted
 */
public record TraceSettings(List<String> endpoint, double share, int queueSpans) {
    /** Sends no spans. */
    public static final TraceSettings NONE = new TraceSettings(List.of(), 1, 2_048);

    public TraceSettings {
        endpoint = List.copyOf(endpoint);
        if (endpoint.size() > 1) {
            throw new IllegalArgumentException(
                    "expected one endpoint for spans but found %s".formatted(endpoint));
        }
        for (String address : endpoint) {
            check(address);
        }
        if (!(share >= 0 && share <= 1) || queueSpans < 1) {
            throw new IllegalArgumentException(
                    "share is %s, must be from 0 to 1; queueSpans is %d, must be at least 1"
                            .formatted(share, queueSpans));
        }
    }

    private static void check(String address) {
        URI uri;
        try {
            uri = URI.create(address);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the endpoint for spans is no URL: '%s'".formatted(address), e);
        }
        boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        if (!isHttp || uri.getHost() == null) {
            throw new IllegalArgumentException(
                    "expected an endpoint for spans such as http://127.0.0.1:4318/v1/traces but found '%s'"
                            .formatted(address));
        }
    }

    /** Returns the address of the collector. */
    Optional<String> address() {
        return endpoint.stream().findFirst();
    }
}
