package org.crabro.config.parser;

/**
 * Another name for queries.
 *
 * @param name the other name
 * @param target the field, part of a field or field set that it stands for
 */
public record DeclaredAlias(Name name, Name target) {}
