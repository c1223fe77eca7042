package org.crabro.container.processing;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.crabro.config.schema.IndexingScript.Statement;
import org.crabro.config.schema.IndexingScript.Step;
import org.crabro.config.schema.SchemaField;

/**
 * The fields that a script reads and writes.
 *
 * @param inputs its own field, and the fields that its steps name as their input
 * @param isPlain whether it only stores its own field as it is
 */
record ScriptFields(
        Set<String> inputs,
        Set<String> outputs,
        boolean setsLanguage,
        boolean asksForLanguage,
        boolean isPlain) {
    static ScriptFields of(SchemaField field) {
        String own = field.field().name();
        List<Statement> statements = field.script().statements();
        Set<String> inputs = new HashSet<>(Set.of(own));
        Set<String> outputs = new HashSet<>();
        List<Step> steps = IndexingProcessor.steps(statements).toList();
        for (Step step : steps) {
            switch (step) {
                case Step.Input(String name) -> inputs.add(name);
                case Step.SelectInput(var cases) -> inputs.addAll(cases.keySet());
                case Step.Output(_, String name) -> outputs.add(name);
                case Step.Store(String name) -> outputs.add(name);
                default -> {}
            }
        }
        return new ScriptFields(
                Set.copyOf(inputs),
                Set.copyOf(outputs),
                steps.stream().anyMatch(Step.SetLanguage.class::isInstance),
                steps.stream().anyMatch(Step.GetLanguage.class::isInstance),
                steps.stream().allMatch(step -> isPlain(step, own)));
    }

    private static boolean isPlain(Step step, String own) {
        return (step instanceof Step.Input(String input) && input.equals(own))
                || (step instanceof Step.Output(_, String output) && output.equals(own))
                || (step instanceof Step.Store(String stored) && stored.equals(own));
    }
}
