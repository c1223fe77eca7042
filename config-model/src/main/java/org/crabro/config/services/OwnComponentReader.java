package org.crabro.config.services;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.crabro.component.Component;
import org.crabro.component.Config;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.XmlElement;
import org.crabro.config.component.BuiltInComponents;
import org.crabro.config.component.ComponentCheck;
import org.crabro.config.component.ComponentKind;
import org.crabro.config.component.OwnComponent;

/**
 * Collects the application's components of a container cluster, and reports problems with their
 * classes.
 */
final class OwnComponentReader {
    /** Of a cluster. */
    private static final int COMPONENTS_MAX = 1_000;

    private final ComponentCheck check;
    private final ConfigUse configs;
    private final Findings findings;

    /** The elements with configs for all components, the outermost first. */
    private final List<XmlElement> around;

    private final Map<String, OwnComponent> byId = new LinkedHashMap<>();
    private final Map<String, XmlElement> elements = new LinkedHashMap<>();
    private boolean isWhole = true;

    OwnComponentReader(
            ComponentCheck check, ConfigUse configs, List<XmlElement> around, Findings findings) {
        this.findings = findings;
        this.check = check;
        this.configs = configs;
        this.around = List.copyOf(around);
    }

    /** Returns the components whose classes are valid. */
    List<OwnComponent> components() {
        return List.copyOf(byId.values());
    }

    /** Returns the ids of the components that generate values of fields. */
    Set<String> generators() {
        return byId.values().stream()
                .filter(each -> each.kind() == ComponentKind.COMPONENT)
                .filter(each -> check.isGenerator(each.className()))
                .map(OwnComponent::id)
                .collect(Collectors.toSet());
    }

    /** Adds a component that is directly in the cluster. */
    void add(XmlElement element, ComponentKind kind) {
        add(element, kind, "", List.of());
    }

    /**
     * Adds a component, and those in it.
     *
     * @param within the end of its key; empty if its id is enough
     * @param nearer further elements with configs
     */
    void add(XmlElement element, ComponentKind kind, String within, List<XmlElement> nearer) {
        String id = element.attribute("id").orElse("");
        String key = within.isEmpty() ? id : id + "@" + within;
        XmlElement first = elements.putIfAbsent(key, element);
        if (first != null) {
            problem(
                    element,
                    "id",
                    "component '%s' is declared twice; the first is at %s"
                            .formatted(id, element.file().seen(first)));
            return;
        }
        if (elements.size() == COMPONENTS_MAX + 1) {
            problem(
                    element,
                    "id",
                    "more than %,d components of the application; at most %,d are allowed"
                            .formatted(COMPONENTS_MAX, COMPONENTS_MAX));
        }
        if (elements.size() > COMPONENTS_MAX) {
            return;
        }
        var elements = new ArrayList<>(around);
        elements.addAll(nearer);
        elements.add(element);
        Map<String, Config> values = configs.values(elements);
        String name = element.attribute("class").orElse(id);
        Optional<String> bundle = element.attribute("bundle").filter(each -> !each.isEmpty());
        Optional<Class<? extends Component>> builtIn = check.builtIn(name);
        if (builtIn.isPresent()) {
            Optional<String> noKind = check.builtIn(builtIn.get(), name, kind);
            noKind.ifPresent(problem ->
                    problem(
                            element,
                            element.attribute("class").isPresent() ? "class" : "id",
                            problem));
            warnOfUnknownFields(element, name, values);
            if (noKind.isEmpty()) {
                byId.put(
                        key,
                        new OwnComponent(
                                key, id, kind, name, values, element.file().place(element)));
            }
            return;
        }
        Optional<String> platform = check.platform(name, bundle);
        Optional<String> noBundle =
                platform.isPresent() ? Optional.empty() : bundle.flatMap(check::bundle);
        Optional<String> noClass =
                noBundle.isPresent()
                        ? Optional.empty()
                        : platform.or(() -> check.type(name, bundle, kind));
        noBundle.ifPresent(problem -> problem(element, "bundle", problem));
        noClass.ifPresent(problem ->
                problem(element, element.attribute("class").isPresent() ? "class" : "id", problem));
        if (noBundle.isEmpty() && noClass.isEmpty()) {
            byId.put(
                    key,
                    new OwnComponent(key, id, kind, name, values, element.file().place(element)));
        }
        for (XmlElement inner : element.children("component")) {
            if (inner.attribute("id").filter(each -> !each.isEmpty()).isEmpty()) {
                inner.file().problem(inner, "component needs an id");
            } else {
                add(
                        inner,
                        ComponentKind.COMPONENT,
                        key,
                        Stream.concat(nearer.stream(), Stream.of(element)).toList());
            }
        }
    }

    /**
     * Reports constructor parameters that cannot be injected. Does nothing if a class is not valid.
     */
    void checkConstructors() {
        if (isWhole) {
            check.constructors(
                    components(),
                    (component, problem) -> {
                        XmlElement element = elements.get(component.key());
                        if (element != null) {
                            element.file().problem(element, problem);
                        }
                    });
        }
    }

    private void warnOfUnknownFields(
            XmlElement element, String className, Map<String, Config> values) {
        String config = BuiltInComponents.config(className).orElse("");
        List<String> fieldNames = BuiltInComponents.fields(config);
        for (String field : values.getOrDefault(config, Config.NONE).fields().keySet()) {
            if (!fieldNames.contains(field)) {
                findings.warn(
                        "%s: config %s: %s is left out; expected one of %s%s"
                                .formatted(
                                        element.file().place(element),
                                        config,
                                        field,
                                        String.join(", ", fieldNames),
                                        NearestName.hint(field, fieldNames)));
            }
        }
    }

    private void problem(XmlElement element, String attribute, String problem) {
        isWhole = false;
        element.file().problem(element, attribute, problem);
    }
}
