package org.crabro.config.application;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An element of an XML file with its position.
 *
 * @param name with its prefix, as written
 * @param attributes by name with prefix, in order
 * @param text all text directly in it, without blanks around it
 * @param offset of its {@code <} in the file, in characters
 * @param file that contains it
 */
public record XmlElement(
        String name,
        Map<String, String> attributes,
        List<XmlElement> children,
        String text,
        int offset,
        XmlText file) {
    public XmlElement {
        attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
        children = List.copyOf(children);
    }

    public Optional<String> attribute(String attribute) {
        return Optional.ofNullable(attributes.get(attribute));
    }

    /** Returns the children called {@code child}. */
    public List<XmlElement> children(String child) {
        return children.stream().filter(element -> element.name().equals(child)).toList();
    }

    /** Returns the same element with other attributes, children and text. */
    public XmlElement with(
            Map<String, String> otherAttributes, List<XmlElement> otherChildren, String otherText) {
        return new XmlElement(name, otherAttributes, otherChildren, otherText, offset, file);
    }
}
