package org.crabro.client.visit;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The documents to visit. Immutable.
 *
 * {@snippet :
 * ClientVisit.ofType("home", "note").withSelection("note.time > 15").withSlices(4);
 * }
 *
 * @param path of the request
 * @param parameters of the request, without those of slices and continuations
 * @param slices how many parts are read at the same time, 1 to {@value #MOST_SLICES}
 * @param position where to continue; without it, the visit begins
 */
public record ClientVisit(
        String path, Map<String, String> parameters, int slices, Optional<String> position) {
    /** The largest number of slices. */
    public static final int MOST_SLICES = 100;

    public ClientVisit {
        parameters = Map.copyOf(parameters);
        if (slices < 1 || slices > MOST_SLICES) {
            throw new IllegalArgumentException(
                    "%d slices, outside of 1 to %d".formatted(slices, MOST_SLICES));
        }
    }

    private static ClientVisit of(String path) {
        return new ClientVisit(path, Map.of(), 1, Optional.empty());
    }

    /** Visits the documents of all types in a content cluster. */
    public static ClientVisit ofCluster(String name) {
        return of("/document/v1/").with("cluster", name);
    }

    /** Visits the documents of a type. */
    public static ClientVisit ofType(String namespace, String documentType) {
        return of("/document/v1/%s/%s/docid/".formatted(encoded(namespace), encoded(documentType)));
    }

    /** Visits the documents of a type with this {@code g=} in their ids. */
    public static ClientVisit ofGroup(String namespace, String documentType, String group) {
        return of(
                "/document/v1/%s/%s/group/%s/"
                        .formatted(encoded(namespace), encoded(documentType), encoded(group)));
    }

    /** Visits the documents of a type with this {@code n=} in their ids, an unsigned number. */
    public static ClientVisit ofNumber(String namespace, String documentType, long number) {
        return of(
                "/document/v1/%s/%s/number/%s/"
                        .formatted(
                                encoded(namespace),
                                encoded(documentType),
                                Long.toUnsignedString(number)));
    }

    /** Visits only documents that a document selection selects. */
    public ClientVisit withSelection(String selection) {
        return with("selection", selection);
    }

    /** Returns these fields instead of those of the document block: {@code note:text,time}. */
    public ClientVisit withFieldSet(String fieldSet) {
        return with("fieldSet", fieldSet);
    }

    /** Visits removed documents too, while their tombstones exist. */
    public ClientVisit withRemoves() {
        return with("includeRemoves", "true");
    }

    /** Reads this number of parts at the same time. */
    public ClientVisit withSlices(int count) {
        return new ClientVisit(path, parameters, count, position);
    }

    /** Sets any request parameter. The page on visiting lists them. */
    public ClientVisit with(String name, String value) {
        Map<String, String> changed = new LinkedHashMap<>(parameters);
        changed.put(name, value);
        return new ClientVisit(path, changed, slices, position);
    }

    /**
     * Continues an interrupted visit of the same documents, with its number of slices.
     *
     * @param from of the last {@link VisitEvent.Progress}
     * @throws IllegalArgumentException if it is not a position
     */
    public ClientVisit from(String from) {
        return new ClientVisit(
                path, parameters, SlicePositions.parse(from).count(), Optional.of(from));
    }

    /** Returns a part of a URL with its special characters encoded. */
    public static String encoded(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8);
    }
}
