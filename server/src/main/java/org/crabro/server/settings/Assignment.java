package org.crabro.server.settings;

/**
 * A value that an operator gives to a setting.
 *
 * @param name of the setting, such as {@code http.connections.max}
 * @param value as written
 * @param place where it is written, for error messages: a file with its line, or an option
 */
public record Assignment(String name, String value, String place) {}
