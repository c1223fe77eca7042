package org.crabro.container.http;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The rules of settings, or of a package, for requests of browsers.
 *
 * @param hosts names of the server that requests may use, in lower case; {@code *} allows any name
 * @param origins whose pages may use the server
 */
public record BrowserRules(Set<String> hosts, Set<Origin> origins) {
    /** No name and no origin. */
    public static final BrowserRules NONE = new BrowserRules(Set.of(), Set.of());

    public BrowserRules {
        hosts =
                hosts.stream()
                        .map(host -> host.toLowerCase(Locale.ROOT))
                        .collect(Collectors.toUnmodifiableSet());
        origins = Set.copyOf(origins);
    }

    /**
     * Returns the rules of settings.
     *
     * @throws IllegalArgumentException if an origin is invalid; the message names it
     */
    public static BrowserRules of(BrowserSettings settings) {
        return new BrowserRules(
                Set.copyOf(settings.hostNames()),
                settings.corsOrigins().stream()
                        .map(Origin::of)
                        .collect(Collectors.toUnmodifiableSet()));
    }

    boolean allowsAnyHost() {
        return hosts.contains("*");
    }
}
