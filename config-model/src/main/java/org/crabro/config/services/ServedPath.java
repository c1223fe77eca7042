package org.crabro.config.services;

import java.util.OptionalInt;

/**
 * Where something answers instead of the path that it has by itself.
 *
 * @param port the only one, where the package says one
 * @param pattern of paths; {@code *} stands for any text, also an empty one and one with slashes
 */
public record ServedPath(OptionalInt port, String pattern) {}
