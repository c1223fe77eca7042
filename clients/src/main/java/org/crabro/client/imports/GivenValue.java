package org.crabro.client.imports;

/**
 * A value whose text in the source says more than the value alone, such as the digits {@code 1.50}
 * of a number, the offset of a time or the letter case of a truth value.
 *
 * @param text as the source has it
 * @param value what the text means; one of the other types of values
 */
record GivenValue(String text, Object value) {}
