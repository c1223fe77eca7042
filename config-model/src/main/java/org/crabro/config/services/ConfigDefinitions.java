package org.crabro.config.services;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.XmlElement;
import org.crabro.config.services.ConfigDefinition.Field;
import org.crabro.config.services.ConfigDefinition.Shape;

/** The classes of configuration that a package defines, by name with namespace. */
record ConfigDefinitions(Map<String, ConfigDefinition> byName) {
    private static final Pattern INT = Pattern.compile("-?[0-9]{1,10}");
    private static final Pattern LONG = Pattern.compile("-?[0-9]{1,19}");
    private static final Pattern DOUBLE = Pattern.compile("-?[0-9]*\\.?[0-9]+([eE][+-]?[0-9]+)?");

    ConfigDefinitions {
        byName = Map.copyOf(byName);
    }

    /** Returns the definitions of a package; what is wrong with one is reported. */
    static ConfigDefinitions read(ApplicationFiles files, Findings findings) {
        var byName = new HashMap<String, ConfigDefinition>();
        for (String path : files.paths()) {
            if (path.matches("configdefinitions/[^/]+\\.def")) {
                ConfigDefinition.read(path, files.text(path).orElseThrow(), findings)
                        .ifPresent(found -> byName.put(found.name(), found));
            }
        }
        return new ConfigDefinitions(byName);
    }

    /** Reports what is wrong with the values of {@code config}, where the package defines it. */
    void check(String name, XmlElement config) {
        ConfigDefinition definition = byName.get(name);
        if (definition != null) {
            fields(name, definition.root(), config);
        }
    }

    private static void fields(String config, Field struct, XmlElement element) {
        var seen = new HashSet<String>();
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
                field(config, field, child);
            }
        }
        struct.fields()
                .forEach((name, field) -> {
                    if (field.isMandatory() && !seen.contains(name)) {
                        problem(element, "config %s needs a value of '%s'".formatted(config, name));
                    }
                });
    }

    private static void field(String config, Field field, XmlElement element) {
        boolean isAppended = element.attribute("operation").equals(Optional.of("append"));
        if (field.shape() == Shape.ONE || isAppended) {
            one(config, field, element);
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
                one(config, field, item);
            }
        }
    }

    private static void one(String config, Field field, XmlElement element) {
        if (field.type().equals(ConfigDefinition.STRUCT)) {
            fields(config, field, element);
            return;
        }
        String text = element.text();
        boolean fits =
                switch (field.type()) {
                    case "int" ->
                            INT.matcher(text).matches()
                                    && Long.parseLong(text) == (int) Long.parseLong(text);
                    case "long" -> isLong(text);
                    case "double" -> DOUBLE.matcher(text).matches();
                    case "bool" -> List.of("true", "false").contains(text);
                    case "enum" -> field.choices().contains(text);
                    default -> true;
                };
        if (!fits) {
            problem(
                    element,
                    "config %s: expected %s for '%s', but found '%s'%s"
                            .formatted(
                                    config,
                                    field.type().equals("enum")
                                            ? "one of " + String.join(", ", field.choices())
                                            : field.type(),
                                    element.name(),
                                    text,
                                    NearestName.hint(text, field.choices())));
        }
    }

    private static boolean isLong(String text) {
        if (!LONG.matcher(text).matches()) {
            return false;
        }
        try {
            Long.parseLong(text);
            return true;
        } catch (NumberFormatException _) {
            return false;
        }
    }

    private static void problem(XmlElement element, String problem) {
        element.file().problem(element, problem);
    }
}
