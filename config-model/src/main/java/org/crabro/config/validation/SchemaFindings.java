package org.crabro.config.validation;

import java.util.EnumMap;
import java.util.Map;
import org.crabro.config.application.Findings;

/**
 * What is found in one schema, kept by steps, so that it is told in the order of these, whatever
 * was checked first. For one thread.
 */
public final class SchemaFindings {
    private final Map<SchemaStep, Findings> steps = new EnumMap<>(SchemaStep.class);

    /** Returns what takes the findings of a step. */
    Findings at(SchemaStep step) {
        return steps.computeIfAbsent(step, _ -> new Findings());
    }

    /** Tells everything, step by step. */
    public void tell(Findings into) {
        steps.values().forEach(into::add);
    }
}
