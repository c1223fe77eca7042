package org.crabro.document;

/**
 * A field of a document type.
 *
 * @param name as in the schema
 * @param inDocument whether clients feed it; false for a field outside the document block, which an
 *     indexing script fills
 */
public record Field(String name, FieldType type, boolean inDocument) {}
