package org.crabro.container.query;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.crabro.config.application.NearestName;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.container.query.SearchedApplication.Place;

/** Finds the document types that a query names, by their own names or by their clusters'. */
final class TargetPlaces {
    private TargetPlaces() {}

    /**
     * Returns the searched places, at least one.
     *
     * @param sources clusters or schemas; empty for all
     * @param restrict schemas; empty for all
     * @param problems receives the unknown sources, if others are known
     * @throws IllegalQueryException if no source is known, or a schema is not, or there is nothing
     *     to search
     */
    static List<Place> find(
            List<Place> all,
            List<String> sources,
            List<String> restrict,
            List<ResultError> problems) {
        if (!anySearchable(all)) {
            throw new IllegalQueryException(
                    ErrorCode.NO_BACKENDS, "no content cluster of the application can be searched");
        }
        boolean hasAny = false;
        for (String source : sources) {
            hasAny |= !named(all, source).isEmpty();
        }
        for (String source : sources) {
            List<Place> named = named(all, source);
            if (named.isEmpty() && hasAny) {
                problems.add(
                        new ResultError(
                                ErrorCode.INVALID_PARAMETER,
                                "",
                                unknown("source", source, names(all, true))));
            } else {
                check("source", source, named, all, true);
            }
        }
        for (String schema : restrict) {
            check("schema", schema, ofSchema(all, schema), all, false);
        }
        // No set: the hash of a place would be computed from its whole schema.
        var chosen = new ArrayList<Place>();
        for (Place place : all) {
            if (!isStoreOnly(place)
                    && (sources.isEmpty() || isNamed(place, sources))
                    && (restrict.isEmpty() || restrict.contains(place.schema().name()))
                    && !chosen.contains(place)) {
                chosen.add(place);
            }
        }
        if (chosen.isEmpty()) {
            throw new IllegalQueryException(
                    ErrorCode.INVALID_PARAMETER,
                    "none of the sources %s has a schema of %s".formatted(sources, restrict));
        }
        return chosen;
    }

    private static void check(
            String kind, String name, List<Place> places, List<Place> all, boolean clustersToo) {
        if (places.isEmpty()) {
            throw new IllegalQueryException(
                    ErrorCode.INVALID_PARAMETER, unknown(kind, name, names(all, clustersToo)));
        }
        if (!anySearchable(places)) {
            throw new IllegalQueryException(
                    ErrorCode.INVALID_PARAMETER,
                    "'%s' is stored only (mode=\"store-only\" in services.xml) and cannot be searched"
                            .formatted(
                                    places.size() == 1 ? places.getFirst().schema().name() : name));
        }
    }

    private static String unknown(String kind, String name, String names) {
        return "there is no %s '%s'; there are %s%s"
                .formatted(
                        kind,
                        name,
                        names,
                        NearestName.hint(name, List.of(names.replace("'", "").split(", ", -1))));
    }

    private static boolean anySearchable(List<Place> places) {
        for (Place place : places) {
            if (!isStoreOnly(place)) {
                return true;
            }
        }
        return false;
    }

    private static List<Place> named(List<Place> places, String name) {
        var named = new ArrayList<Place>();
        for (Place place : places) {
            if (isNamed(place, name)) {
                named.add(place);
            }
        }
        return named;
    }

    private static List<Place> ofSchema(List<Place> places, String name) {
        var ofSchema = new ArrayList<Place>();
        for (Place place : places) {
            if (place.schema().name().equals(name)) {
                ofSchema.add(place);
            }
        }
        return ofSchema;
    }

    private static boolean isNamed(Place place, List<String> names) {
        for (String name : names) {
            if (isNamed(place, name)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isNamed(Place place, String name) {
        return place.cluster().equals(name) || place.schema().name().equals(name);
    }

    private static boolean isStoreOnly(Place place) {
        return place.mode() == Mode.STORE_ONLY;
    }

    private static String names(List<Place> places, boolean clustersToo) {
        return places.stream()
                .flatMap(place ->
                        clustersToo
                                ? Stream.of(place.cluster(), place.schema().name())
                                : Stream.of(place.schema().name()))
                .distinct()
                .map(name -> "'" + name + "'")
                .collect(joining(", "));
    }
}
