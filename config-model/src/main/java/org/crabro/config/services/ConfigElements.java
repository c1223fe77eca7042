package org.crabro.config.services;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.crabro.config.application.XmlElement;

/**
 * Checks the form of {@code <config>} elements, which set values of components. No component of
 * ours is set this way.
 */
final class ConfigElements {
    private static final Pattern NAME =
            Pattern.compile("([A-Za-z_][A-Za-z0-9_-]*\\.)+[A-Za-z_][A-Za-z0-9_-]*");

    private static final String CONFIG = "config";

    /** The elements that use configs. Elements around them can be overridden further in. */
    private static final Set<String> USERS =
            Set.of(
                    "component",
                    "documentprocessor",
                    "filter",
                    "handler",
                    "processor",
                    "renderer",
                    "searcher");

    private ConfigElements() {}

    /**
     * Reports problems with the configs in {@code element}, at any depth. Configs of one name add
     * up, so that only the last of an element must find a value for each field.
     */
    static void check(XmlElement element, ConfigDefinitions definitions) {
        check(element, definitions, Map.of());
    }

    /**
     * @param around configs by name in the elements around {@code element}
     */
    private static void check(
            XmlElement element,
            ConfigDefinitions definitions,
            Map<String, List<XmlElement>> around) {
        Map<String, List<XmlElement>> inside = with(around, element);
        Map<String, XmlElement> last = new HashMap<>();
        element.children(CONFIG).forEach(config -> last.put(ConfigName.of(config), config));
        for (XmlElement child : element.children()) {
            if (!child.name().equals(CONFIG)) {
                check(child, definitions, inside);
                continue;
            }
            Optional<String> given = child.attribute("name");
            if (given.isEmpty()) {
                continue;
            }
            String name = ConfigName.of(child);
            if (!NAME.matcher(name).matches()) {
                child.file()
                        .problem(
                                child,
                                "name",
                                "expected a name with its namespace, as in my.own.settings, but found"
                                        + " '%s'".formatted(name));
                continue;
            }
            definitions.check(
                    name,
                    child,
                    USERS.contains(element.name()) && child.equals(last.get(name))
                            ? Optional.of(inside.getOrDefault(name, List.of()))
                            : Optional.empty());
        }
    }

    private static Map<String, List<XmlElement>> with(
            Map<String, List<XmlElement>> around, XmlElement element) {
        List<XmlElement> configs = element.children(CONFIG);
        if (configs.isEmpty()) {
            return around;
        }
        Map<String, List<XmlElement>> inside = new HashMap<>(around);
        for (XmlElement config : configs) {
            inside.merge(
                    ConfigName.of(config),
                    List.of(config),
                    (far, near) -> Stream.concat(far.stream(), near.stream()).toList());
        }
        return inside;
    }
}
