package org.crabro.content.search.group;

/**
 * Computes the distance of locations from a fixed location, on a sphere with the mean radius of the
 * Earth.
 */
final class DistanceFromPlace extends Evaluator {
    static final double KM_PER_MILE = 1.609344;
    private static final double RADIUS_KM = 6_371.0088;

    private final Evaluator latitudes;
    private final Evaluator longitudes;
    private final double latitude;
    private final double longitude;
    private final double kmPerUnit;

    /**
     * @param latitudes of the locations, in degrees
     * @param latitude of the fixed location, in degrees
     */
    DistanceFromPlace(
            Evaluator latitudes,
            Evaluator longitudes,
            double latitude,
            double longitude,
            double kmPerUnit) {
        super(ValueKind.REAL, latitudes);
        this.latitudes = latitudes;
        this.longitudes = longitudes;
        this.latitude = Math.toRadians(latitude);
        this.longitude = Math.toRadians(longitude);
        this.kmPerUnit = kmPerUnit;
    }

    @Override
    Values evaluate(RowBatch batch) {
        Values from = latitudes.evaluate(batch);
        Values other = longitudes.evaluate(batch);
        values.shape(from);
        int size = from.size();
        for (int i = 0; i < size; i++) {
            values.doubles[i] =
                    distance(Math.toRadians(from.doubles[i]), Math.toRadians(other.doubles[i]));
        }
        return values;
    }

    private double distance(double lat, double lng) {
        double sinLat = Math.sin((lat - latitude) / 2);
        double sinLng = Math.sin((lng - longitude) / 2);
        double square = sinLat * sinLat + Math.cos(lat) * Math.cos(latitude) * sinLng * sinLng;
        return 2 * RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(square))) / kmPerUnit;
    }
}
