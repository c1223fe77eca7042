package org.crabro.client.imports;

/**
 * A field of a guessed schema.
 *
 * @param source its name in the records
 * @param name its name in the schema
 */
public record GuessedField(String source, String name, GuessedType type) {}
