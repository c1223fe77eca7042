package org.crabro.content.search.match;

/** An area of the Earth's surface, in latitudes and longitudes. Immutable. */
sealed interface GeoArea {
    /**
     * Returns whether the area contains a location.
     *
     * @param latitude degrees north
     * @param longitude degrees east
     */
    boolean holds(double latitude, double longitude);

    /**
     * A circle around a location. Distances are planar; a degree of longitude has the length that
     * it has at the latitude of the center.
     *
     * @param radius degrees of latitude; a negative radius contains every location
     */
    record Circle(double latitude, double longitude, double radius, double shrink)
            implements GeoArea {
        Circle(double latitude, double longitude, double radius) {
            this(latitude, longitude, radius, Math.cos(Math.toRadians(latitude)));
        }

        @Override
        public boolean holds(double north, double east) {
            if (radius < 0) {
                return true;
            }
            double dy = north - latitude;
            double dx = Math.abs(east - longitude);
            dx = Math.min(dx, 360 - dx) * shrink;
            return dx * dx + dy * dy <= radius * radius;
        }
    }

    /**
     * A box between two parallels and two meridians, edges included. If {@code west} is larger than
     * {@code east}, the box crosses the 180th meridian.
     */
    record Box(double south, double west, double north, double east) implements GeoArea {
        @Override
        public boolean holds(double latitude, double longitude) {
            return latitude >= south
                    && latitude <= north
                    && (west <= east
                            ? longitude >= west && longitude <= east
                            : longitude >= west || longitude <= east);
        }
    }
}
