package org.crabro.ranking.kernel;

import java.util.Optional;

/**
 * A measure of the distance between two vectors.
 *
 * <p>Scans compare <i>internal</i> distances, which order vectors as the metric does and are the
 * cheapest to compute. Distances in results are converted from them. A parameter {@code s} is the
 * squared length of the query vector; metrics that do not need it ignore it.
 */
public enum DistanceMetric {
    /** Internal: the squared distance. */
    EUCLIDEAN("euclidean") {
        @Override
        public double distance(double internal, double s) {
            return Math.sqrt(internal);
        }

        @Override
        public double internal(double distance, double s) {
            return distance * distance;
        }
    },
    /** The angle between the vectors, 0 to π. Internal: 1 - its cosine. */
    ANGULAR("angular") {
        @Override
        public double distance(double internal, double s) {
            return Math.acos(cosine(1 - internal));
        }

        @Override
        public double internal(double distance, double s) {
            return 1 - Math.cos(Math.clamp(distance, 0, Math.PI));
        }
    },
    /** The negative dot product; the internal distance is the same. */
    DOTPRODUCT("dotproduct") {
        @Override
        public double distance(double internal, double s) {
            return internal;
        }

        @Override
        public double internal(double distance, double s) {
            return distance;
        }

        @Override
        public double closeness(double internal, double s) {
            return -internal;
        }
    },
    /**
     * 1 - the cosine of the angle, 0 to 2, if all stored vectors have the length of the query.
     * Internal: {@code s} - the dot product.
     */
    PRENORMALIZED_ANGULAR("prenormalized-angular") {
        @Override
        public double distance(double internal, double s) {
            return 1 - cosine(1 - internal / positive(s));
        }

        @Override
        public double internal(double distance, double s) {
            return positive(s) - (1 - distance) * positive(s);
        }
    },
    /**
     * Kilometres on the globe between two pairs of latitude and longitude in degrees. Internal: the
     * haversine of the angle at the globe's centre.
     */
    GEODEGREES("geodegrees") {
        @Override
        public double distance(double internal, double s) {
            return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(Math.clamp(internal, 0, 1)));
        }

        @Override
        public double internal(double distance, double s) {
            double kilometres = Math.clamp(distance, 0, Math.PI * EARTH_RADIUS_KM);
            double sine = Math.sin(kilometres / (2 * EARTH_RADIUS_KM));
            return sine * sine;
        }
    },
    /** The number of differing bits of int8 cells, or of differing other cells; also internal. */
    HAMMING("hamming") {
        @Override
        public double distance(double internal, double s) {
            return internal;
        }

        @Override
        public double internal(double distance, double s) {
            return distance;
        }
    };

    private static final double EARTH_RADIUS_KM = 6371.0088;

    private final String text;

    DistanceMetric(String text) {
        this.text = text;
    }

    /** Returns the metric that schemas call {@code name}. */
    public static Optional<DistanceMetric> named(String name) {
        String current = name.equals("innerproduct") ? PRENORMALIZED_ANGULAR.text : name;
        for (DistanceMetric metric : values()) {
            if (metric.text.equals(current)) {
                return Optional.of(metric);
            }
        }
        return Optional.empty();
    }

    /** Converts an internal distance to the distance in results. */
    public abstract double distance(double internal, double s);

    /** Returns the internal distance for {@code distance}, limited to the range of the metric. */
    public abstract double internal(double distance, double s);

    /** Returns the closeness, which is also the raw score: the larger, the closer. */
    public double closeness(double internal, double s) {
        return 1 / (1 + distance(internal, s));
    }

    /** Returns the name as written in schemas. */
    @Override
    public String toString() {
        return text;
    }

    /** Rounding can exceed the range of a cosine slightly. */
    private static double cosine(double value) {
        return Math.clamp(value, -1, 1);
    }

    /** A query of zeros has no direction; it is treated as if it had length 1. */
    static double positive(double s) {
        return s > 0 ? s : 1;
    }
}
