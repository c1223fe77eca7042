package org.crabro.client.notes;

/**
 * A value of YAML without quotes, which may be a number, a truth value or a date.
 *
 * @param text as it is written
 */
public record PlainScalar(String text) {}
