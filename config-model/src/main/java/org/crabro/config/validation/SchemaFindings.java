package org.crabro.config.validation;

import java.util.EnumMap;
import java.util.Map;
import org.crabro.config.application.Findings;

/**
 * The findings of one schema, grouped by steps. They are reported in the order of the steps, not in
 * the order of the checks. Not thread-safe.
 */
public final class SchemaFindings {
    private final Map<SchemaStep, Findings> steps = new EnumMap<>(SchemaStep.class);

    /** Returns the findings of a step, to be added to. */
    Findings at(SchemaStep step) {
        return steps.computeIfAbsent(step, _ -> new Findings());
    }

    /** Adds all findings to {@code into}, step by step. */
    public void tell(Findings into) {
        steps.values().forEach(into::add);
    }
}
