package org.crabro.container.processing;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.config.schema.SchemaField;

/** Which scripts have something else to write when fields change. */
final class ScriptDependencies {
    private final Map<SchemaField, ScriptFields> scripts = new LinkedHashMap<>();

    /**
     * @param fields those with scripts, in the order in which these run
     */
    ScriptDependencies(List<SchemaField> fields) {
        fields.forEach(field -> scripts.put(field, ScriptFields.of(field)));
    }

    /**
     * The scripts to run.
     *
     * @param fields the fields of the scripts, in order
     * @param inputs fields that they read
     * @param outputs fields that they write; no other script does
     */
    record Affected(List<SchemaField> fields, Set<String> inputs, Set<String> outputs) {}

    /** Returns the scripts that must run after changes of fields. */
    Affected of(Set<String> changed) {
        Set<SchemaField> affected = new HashSet<>();
        scripts.forEach((field, script) -> {
            if (!script.isPlain() && script.inputs().stream().anyMatch(changed::contains)) {
                affected.add(field);
            }
        });
        boolean grows = !affected.isEmpty();
        while (grows) {
            // Scripts that write the same field, or set the language for it, also run.
            Set<String> outputs = outputs(affected);
            boolean asksForLanguage =
                    affected.stream().anyMatch(field -> script(field).asksForLanguage());
            grows = false;
            for (var each : scripts.entrySet()) {
                ScriptFields script = each.getValue();
                if (script.outputs().stream().anyMatch(outputs::contains)
                        || (asksForLanguage && script.setsLanguage())) {
                    grows |= affected.add(each.getKey());
                }
            }
        }
        Set<String> inputs = new TreeSet<>();
        affected.forEach(field -> inputs.addAll(script(field).inputs()));
        return new Affected(
                scripts.keySet().stream().filter(affected::contains).toList(),
                inputs,
                outputs(affected));
    }

    private Set<String> outputs(Set<SchemaField> fields) {
        Set<String> outputs = new TreeSet<>();
        fields.forEach(field -> outputs.addAll(script(field).outputs()));
        return outputs;
    }

    private ScriptFields script(SchemaField field) {
        ScriptFields script = scripts.get(field);
        if (script == null) {
            throw new IllegalStateException("a field without a script: " + field);
        }
        return script;
    }
}
