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

    private final Map<Place, Elements> elements = new HashMap<>();

    private record Place(String cluster, String type) {}

    private record Elements(XmlElement document, XmlElement section) {}

    /**
     * Records the place of a type.
     *
     * @param section that contains {@code document}
     */
    void add(String cluster, String type, XmlElement document, XmlElement section) {
        elements.putIfAbsent(new Place(cluster, type), new Elements(document, section));
    }

    /** Reports a problem with the selection of a type's documents in a cluster. */
    public void selectionProblem(String cluster, String type, String problem) {
        Elements found = Objects.requireNonNull(elements.get(new Place(cluster, type)), type);
        XmlElement document = found.document;
        XmlElement section = found.section;
        XmlElement place =
                document.attribute(SELECTION).isEmpty() && section.attribute(SELECTION).isPresent()
                        ? section
                        : document;
        place.file().problem(place, SELECTION, problem);
    }
}
