package org.crabro.config.validation;

import java.util.Map;
import java.util.Set;
import org.crabro.config.schema.SchemaField;

/**
 * The fields of a schema as its rank profiles see them.
 *
 * @param declared by name
 * @param broken the fields whose types are invalid; their uses report no further problem
 * @param imported the names of imported fields, which have no value in this schema
 */
record ProfileFields(Map<String, SchemaField> declared, Set<String> broken, Set<String> imported) {}
