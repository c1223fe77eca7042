package org.crabro.config.application;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What may stand in an element, and what becomes of it.
 *
 * {@snippet :
 * new ElementRules("version", "id")
 *         .reads("search", "http")
 *         .ignores("clients")
 *         .check(container, xml, findings);
 * }
 */
public final class ElementRules {
    /** What becomes of a child. */
    private enum Treatment {
        READ,
        /** Nothing, and nobody will miss it. */
        IGNORED,
        /** Nothing, and somebody may be surprised. */
        LEFT_OUT,
        NOT_BUILT
    }

    private final Set<String> attributes;
    private final Map<String, Treatment> children = new HashMap<>();

    /**
     * @param attributes those that the element may have
     */
    public ElementRules(String... attributes) {
        this.attributes = Set.of(attributes);
    }

    public ElementRules reads(String... names) {
        return add(Treatment.READ, names);
    }

    public ElementRules ignores(String... names) {
        return add(Treatment.IGNORED, names);
    }

    public ElementRules leavesOut(String... names) {
        return add(Treatment.LEFT_OUT, names);
    }

    public ElementRules notBuilt(String... names) {
        return add(Treatment.NOT_BUILT, names);
    }

    private ElementRules add(Treatment treatment, String... names) {
        for (String name : names) {
            children.put(name, treatment);
        }
        return this;
    }

    /** Reports what does not belong into {@code element}, or is not built. */
    public void check(XmlElement element, XmlText xml, Findings findings) {
        for (String attribute : element.attributes().keySet()) {
            if (!attributes.contains(attribute)) {
                xml.problem(
                        element,
                        attribute,
                        "unknown attribute '%s' of %s; %s%s"
                                .formatted(
                                        attribute,
                                        element.name(),
                                        allowed("attributes", attributes),
                                        NearestName.hint(attribute, attributes)));
            }
        }
        var told = new HashSet<String>();
        for (XmlElement child : element.children()) {
            check(element, child, told.add(child.name()), xml, findings);
        }
    }

    private void check(
            XmlElement element, XmlElement child, boolean isFirst, XmlText xml, Findings findings) {
        String name = child.name();
        String path = element.name() + "/" + name;
        Treatment treatment = children.get(name);
        if (treatment == null) {
            xml.problem(child, unknown(element, name));
            return;
        }
        switch (treatment) {
            case READ -> {}
            case IGNORED -> {
                if (isFirst) {
                    findings.inform(xml.place(child) + ": " + path + " changes nothing here");
                }
            }
            case LEFT_OUT ->
                    findings.warn(xml.place(child) + ": " + path + " is not built yet: left out");
            case NOT_BUILT -> xml.problem(child, path + " is not built yet");
        }
    }

    private String unknown(XmlElement element, String name) {
        return "unknown element '%s' in %s; %s%s"
                .formatted(
                        name,
                        element.name(),
                        allowed("elements", children.keySet()),
                        NearestName.hint(name, children.keySet()));
    }

    private static String allowed(String what, Set<String> names) {
        List<String> sorted = new ArrayList<>(new TreeSet<>(names));
        return sorted.isEmpty()
                ? "expected no " + what
                : "expected %s out of %s".formatted(what, String.join(", ", sorted));
    }
}
