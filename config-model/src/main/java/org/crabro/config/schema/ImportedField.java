package org.crabro.config.schema;

/**
 * A field that has the value of a field of another document.
 *
 * @param name what it is called here
 * @param reference the field that names the other document
 * @param schema of the other document
 * @param field of the other document, which may be imported there itself
 */
public record ImportedField(String name, String reference, String schema, String field) {}
