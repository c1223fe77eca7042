package org.crabro.config.validation;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.document.FieldType;

/**
 * The names that the indexing scripts of a schema can use.
 *
 * @param documentFields the types of the fields that clients feed, by name
 * @param broken the fields whose types are invalid; a script that reads one reports no problem
 * @param components the components that scripts can name; empty if services.xml could not be read
 */
record ScriptScope(
        Map<String, FieldType> documentFields,
        Set<String> broken,
        Optional<ScriptComponents> components) {}
