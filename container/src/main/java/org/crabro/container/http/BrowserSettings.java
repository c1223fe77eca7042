package org.crabro.container.http;

import java.util.List;

/**
 * The requests of browsers that a listener accepts, in addition to those from its own pages.
 *
 * @param hostNames names of the server that requests may use, in addition to its addresses and its
 *     own names; {@code *} allows any name
 * @param corsOrigins origins whose pages may use the server, such as {@code
 *     https://app.example:8443}; never {@code *}
 */
public record BrowserSettings(List<String> hostNames, List<String> corsOrigins) {
    /** Only pages of the server itself, by its own names. */
    public static final BrowserSettings DEFAULT = new BrowserSettings(List.of(), List.of());

    public BrowserSettings {
        hostNames = List.copyOf(hostNames);
        corsOrigins = List.copyOf(corsOrigins);
    }
}
