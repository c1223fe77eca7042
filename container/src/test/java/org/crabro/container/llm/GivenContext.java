package org.crabro.container.llm;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.component.Component;
import org.crabro.component.Config;
import org.crabro.component.LanguageModel;
import org.crabro.component.ModelsEvaluator;

/**
 * A context with values of tests.
 *
 * @param configs values by the name of their config
 * @param components by id
 * @param root of files
 */
public record GivenContext(
        Map<String, Map<String, String>> configs, Map<String, Component> components, Path root)
        implements ModelContext {
    @Override
    public String id() {
        return "given";
    }

    @Override
    public Config config(String name) {
        var fields = new HashMap<String, Config>();
        configs.getOrDefault(name, Map.of())
                .forEach((field, value) ->
                        fields.put(field, new Config(value, Map.of(), List.of(), Map.of())));
        return new Config("", fields, List.of(), Map.of());
    }

    @Override
    public <T> T component(String id, Class<T> type) {
        return Optional.ofNullable(components.get(id))
                .map(type::cast)
                .orElseThrow(() -> new IllegalArgumentException("there is no component " + id));
    }

    @Override
    public Optional<NamedModel> firstModel() {
        return components.entrySet().stream()
                .filter(each -> each.getValue() instanceof LanguageModel)
                .map(each -> new NamedModel(each.getKey(), (LanguageModel) each.getValue()))
                .findFirst();
    }

    @Override
    public ModelsEvaluator models() {
        throw new UnsupportedOperationException("no test evaluates models");
    }

    @Override
    public Optional<Path> file(String path) {
        return Optional.of(root.resolve(path)).filter(Files::isRegularFile);
    }
}
