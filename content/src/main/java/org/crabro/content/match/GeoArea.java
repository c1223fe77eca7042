package org.crabro.content.match;

/** A part of the Earth's surface, as latitudes and longitudes tell. Immutable. */
sealed interface GeoArea {
    /**
     * Returns whether a place is in it.
     *
     * @param latitude degrees north
     * @param longitude degrees east
     */
    boolean holds(double latitude, double longitude);

    /**
     * Around a place. Distances are planar, with degrees of longitude as short as they are at the
     * latitude of the place.
     *
     * @param radius degrees of latitude; below 0 for everything
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

    /** Between two parallels and two meridians, edges included; west may be east of east. */
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
