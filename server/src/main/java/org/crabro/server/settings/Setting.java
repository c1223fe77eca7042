package org.crabro.server.settings;

/**
 * A setting and its value.
 *
 * @param name as operators write it, such as {@code http.connections.max}
 * @param value a number, a boolean, an enum constant, a {@link java.time.Duration} or a list of
 *     texts
 * @param text the value as operators write it, such as {@code 64MiB}
 */
public record Setting(String name, Object value, String text) {}
