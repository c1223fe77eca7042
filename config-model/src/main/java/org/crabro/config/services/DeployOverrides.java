package org.crabro.config.services;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.application.XmlElement;

/**
 * Chooses between elements that a package has for several environments, by their attributes {@code
 * deploy:environment} and the like. Here the environment is {@code prod}, and region, instance and
 * application are {@code default}.
 */
final class DeployOverrides {
    private static final String PREFIX = "deploy:";

    /** The environment of this installation. It has neither a cloud nor a tag. */
    private final Map<String, String> here;

    /**
     * @param name of the application
     */
    DeployOverrides(ApplicationName name) {
        here =
                Map.of(
                        "deploy:environment",
                        "prod",
                        "deploy:region",
                        "default",
                        "deploy:instance",
                        name.instance(),
                        "deploy:application",
                        name.application());
    }

    /**
     * Returns whether the {@code deploy:} attributes of every element are subsets of those of its
     * enclosing elements; reports those that are not.
     */
    static boolean fit(XmlElement element) {
        return fit(element, Map.of());
    }

    private static boolean fit(XmlElement element, Map<String, String> outer) {
        boolean fits = true;
        var inner = new LinkedHashMap<>(outer);
        for (Map.Entry<String, String> attribute : element.attributes().entrySet()) {
            String name = attribute.getKey();
            if (!name.startsWith(PREFIX)) {
                continue;
            }
            String around = outer.get(name);
            List<String> values = words(attribute.getValue());
            if (around != null && !words(around).containsAll(values)) {
                fits = false;
                element.file()
                        .problem(
                                element,
                                name,
                                "%s is for %s '%s', but is in an element for '%s'"
                                        .formatted(
                                                element.name(),
                                                name.substring(PREFIX.length()),
                                                attribute.getValue(),
                                                around));
            }
            inner.put(name, attribute.getValue());
        }
        for (XmlElement child : element.children()) {
            fits &= fit(child, inner);
        }
        return fits;
    }

    private static List<String> words(String text) {
        return Arrays.asList(text.split("\\s+", -1));
    }

    /** Returns {@code element} with the children that count here, without these attributes. */
    XmlElement resolve(XmlElement element) {
        var groups = new LinkedHashMap<String, Integer>();
        for (XmlElement child : element.children()) {
            if (holds(child)) {
                groups.merge(group(child), conditions(child), Math::max);
            }
        }
        var resolved = new ArrayList<XmlElement>();
        for (XmlElement child : element.children()) {
            if (holds(child) && conditions(child) == groups.getOrDefault(group(child), 0)) {
                resolved.add(resolve(child));
            }
        }
        var attributes = new LinkedHashMap<>(element.attributes());
        attributes.keySet().removeIf(name -> name.startsWith(PREFIX));
        return element.with(attributes, resolved, element.text());
    }

    private boolean holds(XmlElement element) {
        return element.attributes().entrySet().stream()
                .filter(attribute -> attribute.getKey().startsWith(PREFIX))
                .allMatch(attribute -> {
                    return words(attribute.getValue())
                            .contains(here.getOrDefault(attribute.getKey(), ""));
                });
    }

    private static int conditions(XmlElement element) {
        return (int)
                element.attributes().keySet().stream().filter(n -> n.startsWith(PREFIX)).count();
    }

    /** Elements with the same name and id replace each other. */
    private static String group(XmlElement element) {
        return element.name()
                + " "
                + element.attribute("id").orElse("")
                + " "
                + element.attribute("idref").orElse("");
    }
}
