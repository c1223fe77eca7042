package org.crabro.content.search.rank;

import java.util.List;
import org.crabro.content.search.match.Layouts;
import org.crabro.content.search.match.QueryPlace;
import org.crabro.content.storage.block.column.Column;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.ranking.type.RankFeature.GeoOutput;

/**
 * The distance between the nearest locations of a document and of the query.
 *
 * @param column of locations, by {@link org.crabro.content.search.query.QueryFields}
 * @param from the query's locations
 * @param maxDistance the distance at which closeness is 0, in millionths of a degree
 * @param scale determines the distance at which the logarithmic closeness is one half, in the same
 *     unit
 */
record GeoDistance(int column, List<QueryPlace> from, double maxDistance, double scale)
        implements RowFeature {
    static final double MAX_DISTANCE = 9_013_305;
    static final double HALF_RESPONSE = 593_861.739;

    /** The distance if the document or the query has no location. */
    static final double UNKNOWN = 6.4e9;

    private static final double UNKNOWN_KM = 40_000;
    private static final double RADIUS_KM = 6_371.0088;
    private static final double MICRO_DEGREES_BY_KM = 1e6 * 180 / (Math.PI * RADIUS_KM);

    private static final int LATITUDE = index("lat");
    private static final int LONGITUDE = index("lng");

    GeoDistance {
        from = List.copyOf(from);
    }

    private static int index(String name) {
        List<String> names =
                FieldType.StructOf.POSITION.fields().stream().map(Field::name).toList();
        return names.indexOf(name);
    }

    /** Receives the locations of a document. */
    interface EachPlace {
        /**
         * Receives the next location.
         *
         * @param number the index of the location in the document, from 0
         */
        void place(int number, double latitude, double longitude);
    }

    /** Iterates over the locations of a document. */
    static void forEach(Column column, int row, EachPlace each) {
        if (!column.presence().has(row)) {
            return;
        }
        switch (column) {
            case Column.Structs places -> forEach(places, row, row + 1, each);
            case Column.Arrays(_, Column.Structs places, _) -> {
                Column.Arrays all = (Column.Arrays) column;
                forEach(places, all.first(row), all.first(row + 1), each);
            }
            case Column.FixedWidth _, Column.Texts _, Column.Nested _ -> {}
        }
    }

    private static void forEach(Column.Structs places, int first, int end, EachPlace each) {
        if (places.fields().get(LATITUDE).orElse(null) instanceof Column.Numbers north
                && places.fields().get(LONGITUDE).orElse(null) instanceof Column.Numbers east) {
            for (int at = first; at < end; at++) {
                if (north.presence().has(at) && east.presence().has(at)) {
                    each.place(
                            at - first,
                            north.values().get(Layouts.DOUBLE, (long) at << 3),
                            east.values().get(Layouts.DOUBLE, (long) at << 3));
                }
            }
        }
    }

    @Override
    public int outputCount() {
        return GeoOutput.values().length;
    }

    @Override
    public Computation computation(DocumentTerms terms) {
        double oldest = Math.log(maxDistance + scale);
        double range = oldest - Math.log(scale);
        return (row, outputs) -> {
            outputs[GeoOutput.KM.place()] = UNKNOWN_KM;
            outputs[GeoOutput.INDEX.place()] = -1;
            outputs[GeoOutput.LATITUDE.place()] = 90;
            outputs[GeoOutput.LONGITUDE.place()] = -180;
            Column places = terms.scan().column(column).orElse(null);
            if (places != null) {
                forEach(
                        places,
                        row,
                        (number, latitude, longitude) ->
                                compare(number, latitude, longitude, outputs));
            }
            double distance =
                    outputs[GeoOutput.INDEX.place()] < 0
                            ? UNKNOWN
                            : outputs[GeoOutput.KM.place()] * MICRO_DEGREES_BY_KM;
            outputs[GeoOutput.DISTANCE.place()] = distance;
            outputs[GeoOutput.CLOSENESS.place()] = Math.max(1 - distance / maxDistance, 0);
            outputs[GeoOutput.LOGSCALE.place()] =
                    (oldest - Math.log(Math.min(distance, maxDistance) + scale)) / range;
        };
    }

    private void compare(int number, double latitude, double longitude, double[] outputs) {
        for (int i = 0; i < from.size(); i++) {
            double km = km(from.get(i), latitude, longitude);
            boolean isFirst = outputs[GeoOutput.INDEX.place()] < 0;
            if (isFirst || km < outputs[GeoOutput.KM.place()]) {
                outputs[GeoOutput.KM.place()] = km;
                outputs[GeoOutput.INDEX.place()] = number;
                outputs[GeoOutput.LATITUDE.place()] = latitude;
                outputs[GeoOutput.LONGITUDE.place()] = longitude;
            }
        }
    }

    private static double km(QueryPlace from, double latitude, double longitude) {
        double north = Math.sin(Math.toRadians(latitude - from.latitude()) / 2);
        double east = Math.sin(Math.toRadians(longitude - from.longitude()) / 2);
        double half =
                north * north
                        + Math.cos(Math.toRadians(from.latitude()))
                                * Math.cos(Math.toRadians(latitude))
                                * east
                                * east;
        return 2 * RADIUS_KM * Math.asin(Math.sqrt(Math.min(1, half)));
    }
}
