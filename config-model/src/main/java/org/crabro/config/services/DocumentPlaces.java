package org.crabro.config.services;

import java.util.HashMap;
import java.util.List;
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

    private record Elements(XmlElement document, XmlElement section, List<String> selections) {}

    /**
     * Records the place of a type.
     *
     * @param section that contains {@code document}
     * @param selections the parts of the selection of its documents, as the elements contain them
     */
    void add(
            String cluster,
            String type,
            XmlElement document,
            XmlElement section,
            List<String> selections) {
        elements.putIfAbsent(
                new Place(cluster, type), new Elements(document, section, List.copyOf(selections)));
    }

    /**
     * Returns the parts of the selection of a type's documents. Each of them must be a selection:
     * otherwise it could close the parentheses in which it is joined with the others.
     */
    public List<String> selections(String cluster, String type) {
        Elements placed = elements.get(new Place(cluster, type));
        return placed == null ? List.of() : placed.selections;
    }

    /** Reports a problem with the selection of a type's documents in a cluster. */
    public void selectionProblem(String cluster, String type, String problem) {
        Elements placed = Objects.requireNonNull(elements.get(new Place(cluster, type)), type);
        XmlElement document = placed.document;
        XmlElement section = placed.section;
        XmlElement place =
                document.attribute(SELECTION).isEmpty() && section.attribute(SELECTION).isPresent()
                        ? section
                        : document;
        place.file().problem(place, SELECTION, problem);
    }
}
