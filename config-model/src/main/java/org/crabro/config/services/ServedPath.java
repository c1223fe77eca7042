package org.crabro.config.services;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * An address that replaces the default path of an API.
 *
 * @param host in requests, with {@code *} for any text; empty for any host
 * @param port the only one; empty for any
 * @param pattern of paths; {@code *} matches any text, also an empty one and one with slashes
 */
public record ServedPath(Optional<String> host, OptionalInt port, String pattern) {
    /** A path at any host name. */
    public ServedPath(OptionalInt port, String pattern) {
        this(Optional.empty(), port, pattern);
    }
}
