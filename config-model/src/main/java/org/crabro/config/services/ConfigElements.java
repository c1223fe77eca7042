package org.crabro.config.services;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.crabro.config.application.XmlElement;

/**
 * Checks the form of {@code <config>} elements, which set values of components. No component of
 * ours is set this way.
 */
final class ConfigElements {
    private static final Pattern NAME =
            Pattern.compile("([A-Za-z_][A-Za-z0-9_-]*\\.)+[A-Za-z_][A-Za-z0-9_-]*");

    private static final String CONFIG = "config";

    private ConfigElements() {}

    /** Reports what is wrong with the configs in {@code element}, deep down. */
    static void check(XmlElement element, ConfigDefinitions definitions) {
        Map<String, XmlElement> seen = new HashMap<>();
        for (XmlElement child : element.children()) {
            if (!child.name().equals(CONFIG)) {
                check(child, definitions);
                continue;
            }
            Optional<String> given = child.attribute("name");
            if (given.isEmpty()) {
                continue;
            }
            String name =
                    child.attribute("namespace").map(space -> space + ".").orElse("") + given.get();
            if (!NAME.matcher(name).matches()) {
                child.file()
                        .problem(
                                child,
                                "name",
                                "expected a name with its namespace, as in my.own.settings, but found"
                                        + " '%s'".formatted(name));
                continue;
            }
            XmlElement first = seen.putIfAbsent(name, child);
            if (first != null) {
                child.file()
                        .problem(
                                child,
                                "name",
                                "config '%s' is there twice; the first is at %s"
                                        .formatted(name, child.file().seen(first)));
            }
            definitions.check(name, child);
        }
    }
}
