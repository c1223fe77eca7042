package org.crabro.config.schema;

import java.util.List;
import java.util.Optional;

/**
 * Fields that are searched together under one name.
 *
 * @param parsedAs the unit into which query text is split, if the fields do not determine it; each
 *     field is still matched by its own rule
 * @param reading how words of queries are read
 */
public record Fieldset(
        String name, List<String> fields, Optional<MatchMode.Unit> parsedAs, WordReading reading) {
    public Fieldset {
        fields = List.copyOf(fields);
    }

    /** A set of fields that determine how query text is split. */
    public Fieldset(String name, List<String> fields) {
        this(name, fields, Optional.empty(), WordReading.NORMAL);
    }
}
