package org.crabro.config.services;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.component.Config;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.XmlElement;
import org.crabro.config.services.ConfigDefinition.Field;
import org.crabro.config.services.ConfigDefinition.Shape;

/** The classes of configuration that a package defines, by name with namespace. */
record ConfigDefinitions(Map<String, ConfigDefinition> byName) {
    ConfigDefinitions {
        byName = Map.copyOf(byName);
    }

    /** Returns the definitions of a package, and reports problems. */
    static ConfigDefinitions read(ApplicationFiles files, Findings findings) {
        var byName = new HashMap<String, ConfigDefinition>();
        for (String path : files.paths()) {
            if (path.matches("configdefinitions/[^/]+\\.def")) {
                ConfigDefinition.read(path, files.text(path).orElseThrow(), findings)
                        .ifPresent(definition -> byName.put(definition.name(), definition));
            }
        }
        return new ConfigDefinitions(byName);
    }

    /** Returns {@code given}, with the defaults of each definition for missing values. */
    Map<String, Config> filled(Map<String, Config> given) {
        var all = new LinkedHashMap<>(given);
        byName.forEach((name, definition) ->
                all.put(name, definition.root().filled(given.getOrDefault(name, Config.NONE))));
        return all;
    }

    /**
     * Reports problems with the values of {@code config}, if the package defines it.
     *
     * @param around configs of the same name in enclosing elements, whose values this one inherits;
     *     empty if other elements may set the missing values
     */
    void check(String name, XmlElement config, Optional<List<XmlElement>> around) {
        ConfigDefinition definition = byName.get(name);
        if (definition != null) {
            fields(name, definition.root(), config, around);
        }
    }

    private static void fields(
            String config, Field struct, XmlElement element, Optional<List<XmlElement>> around) {
        var seen = new HashSet<String>();
        around.ifPresent(others ->
                others.forEach(other -> other.children().forEach(child -> seen.add(child.name()))));
        for (XmlElement child : element.children()) {
            Field field = struct.fields().get(child.name());
            seen.add(child.name());
            if (field == null) {
                problem(
                        child,
                        "config %s has no field '%s', only %s%s"
                                .formatted(
                                        config,
                                        child.name(),
                                        String.join(", ", struct.fields().keySet()),
                                        NearestName.hint(child.name(), struct.fields().keySet())));
            } else {
                field(
                        config,
                        field,
                        child,
                        around.map(others ->
                                others.stream()
                                        .flatMap(other -> other.children(child.name()).stream())
                                        .toList()));
            }
        }
        struct.fields()
                .forEach((name, field) -> {
                    if (around.isPresent() && field.isMandatory() && !seen.contains(name)) {
                        problem(element, "config %s needs a value of '%s'".formatted(config, name));
                    }
                });
    }

    private static void field(
            String config, Field field, XmlElement element, Optional<List<XmlElement>> around) {
        boolean isItem =
                element.attribute("operation").equals(Optional.of("append"))
                        || element.attribute("index").isPresent();
        if (field.shape() == Shape.ONE || isItem) {
            one(
                    config,
                    field,
                    element,
                    field.shape() == Shape.ONE ? around : around.map(_ -> List.of()));
            return;
        }
        for (XmlElement item : element.children()) {
            if (!item.name().equals("item")) {
                problem(
                        item,
                        "expected item in '%s' of config %s, but found '%s'"
                                .formatted(element.name(), config, item.name()));
            } else if (field.shape() == Shape.MAP && item.attribute("key").isEmpty()) {
                problem(item, "item of '%s' needs key".formatted(element.name()));
            } else {
                one(config, field, item, around.map(_ -> List.of()));
            }
        }
    }

    private static void one(
            String config, Field field, XmlElement element, Optional<List<XmlElement>> around) {
        if (field.type().equals(ConfigDefinition.STRUCT)) {
            fields(config, field, element, around);
            return;
        }
        String text = element.text();
        field.expected(text)
                .ifPresent(expected ->
                        problem(
                                element,
                                "config %s: expected %s for '%s', but found '%s'%s"
                                        .formatted(
                                                config,
                                                expected,
                                                element.name(),
                                                text,
                                                NearestName.hint(text, field.choices()))));
    }

    private static void problem(XmlElement element, String problem) {
        element.file().problem(element, problem);
    }
}
