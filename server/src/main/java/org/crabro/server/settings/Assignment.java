package org.crabro.server.settings;

/**
 * A setting that an operator has assigned.
 *
 * @param name of the setting, such as {@code http.connections.max}
 * @param value as written
 * @param place of the assignment, for error messages: a file with its line, or an option
 */
public record Assignment(String name, String value, String place) {}
