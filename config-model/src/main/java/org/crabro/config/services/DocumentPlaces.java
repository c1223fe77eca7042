package org.crabro.config.services;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.crabro.config.application.XmlElement;

/**
 * The places in services.xml where a cluster stores documents of a type, for the messages of later
 * checks. Not thread-safe.
 */
public final class DocumentPlaces {
    private static final String SELECTION = "selection";

    private final Map<String, XmlElement> documents = new HashMap<>();
    private final Map<String, XmlElement> sections = new HashMap<>();

    /**
     * Records the place of a type.
     *
     * @param section that contains {@code document}
     */
    void add(String type, XmlElement document, XmlElement section) {
        documents.putIfAbsent(type, document);
        sections.putIfAbsent(type, section);
    }

    /** Reports a problem with the selection of a type's documents. */
    public void selectionProblem(String type, String problem) {
        XmlElement document = Objects.requireNonNull(documents.get(type), type);
        XmlElement section = Objects.requireNonNull(sections.get(type), type);
        XmlElement place =
                document.attribute(SELECTION).isEmpty() && section.attribute(SELECTION).isPresent()
                        ? section
                        : document;
        place.file().problem(place, SELECTION, problem);
    }
}
