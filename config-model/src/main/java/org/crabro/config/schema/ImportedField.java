package org.crabro.config.schema;

/**
 * A field that has the value of a field of another document.
 *
 * @param name of the field in this schema
 * @param reference the field that refers to the other document
 * @param schema of the other document
 * @param field of the other document; it can be an imported field, too
 */
public record ImportedField(String name, String reference, String schema, String field) {}
