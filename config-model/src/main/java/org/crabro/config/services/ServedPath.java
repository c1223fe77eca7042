package org.crabro.config.services;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where something answers instead of the path that it has by itself.
 *
 * @param host what requests call the server, with {@code *} for any text; nothing for anything
 * @param port the only one, where the package says one
 * @param pattern of paths; {@code *} stands for any text, also an empty one and one with slashes
 */
public record ServedPath(Optional<String> host, OptionalInt port, String pattern) {
    /** A path at whatever the server is called. */
    public ServedPath(OptionalInt port, String pattern) {
        this(Optional.empty(), port, pattern);
    }
}
