package org.crabro.config.schema;

import java.util.List;

/** Fields that are searched together under one name. */
public record Fieldset(String name, List<String> fields) {
    public Fieldset {
        fields = List.copyOf(fields);
    }
}
