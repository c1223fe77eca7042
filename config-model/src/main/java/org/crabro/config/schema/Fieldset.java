package org.crabro.config.schema;

import java.util.List;
import java.util.Optional;

/**
 * Fields that are searched together under one name.
 *
 * @param parsedAs what queries are cut into, where that does not follow from the fields; each field
 *     is matched by its own rule all the same
 */
public record Fieldset(String name, List<String> fields, Optional<MatchMode.Unit> parsedAs) {
    public Fieldset {
        fields = List.copyOf(fields);
    }

    /** Makes a set of fields from which it follows what queries are cut into. */
    public Fieldset(String name, List<String> fields) {
        this(name, fields, Optional.empty());
    }
}
