package org.crabro.config.services;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.crabro.config.application.XmlElement;

/**
 * Chooses between elements that a package has for several environments, by their attributes {@code
 * deploy:environment} and the like. Here the environment is {@code prod}, and region, instance and
 * application are {@code default}.
 */
final class DeployOverrides {
    private static final String PREFIX = "deploy:";

    /** What is true here; there is neither a cloud nor a tag. */
    private static final Map<String, String> HERE =
            Map.of(
                    "deploy:environment", "prod",
                    "deploy:region", "default",
                    "deploy:instance", "default",
                    "deploy:application", "default");

    private DeployOverrides() {}

    /** Returns {@code element} with the children that count here, without these attributes. */
    static XmlElement resolve(XmlElement element) {
        var groups = new LinkedHashMap<String, Integer>();
        for (XmlElement child : element.children()) {
            if (holds(child)) {
                groups.merge(group(child), conditions(child), Math::max);
            }
        }
        var kept = new ArrayList<XmlElement>();
        for (XmlElement child : element.children()) {
            if (holds(child) && conditions(child) == groups.getOrDefault(group(child), 0)) {
                kept.add(resolve(child));
            }
        }
        var attributes = new LinkedHashMap<>(element.attributes());
        attributes.keySet().removeIf(name -> name.startsWith(PREFIX));
        return element.with(attributes, kept, element.text());
    }

    private static boolean holds(XmlElement element) {
        return element.attributes().entrySet().stream()
                .filter(attribute -> attribute.getKey().startsWith(PREFIX))
                .allMatch(attribute -> {
                    List<String> values = Arrays.asList(attribute.getValue().split("\\s+", -1));
                    return values.contains(HERE.getOrDefault(attribute.getKey(), ""));
                });
    }

    private static int conditions(XmlElement element) {
        return (int)
                element.attributes().keySet().stream().filter(n -> n.startsWith(PREFIX)).count();
    }

    /** Elements of one name and one id stand for each other. */
    private static String group(XmlElement element) {
        return element.name()
                + " "
                + element.attribute("id").orElse("")
                + " "
                + element.attribute("idref").orElse("");
    }
}
