package org.crabro.content.search.rank;

import java.util.ArrayList;
import java.util.List;
import org.crabro.content.storage.block.column.Column;
import org.crabro.ranking.type.RankFeature.PathOutput;

/**
 * The distance and position of the nearest of a document's locations relative to a path, on a flat
 * map: x are millionths of a degree east, y north.
 *
 * @param column of locations, by {@link org.crabro.content.search.query.QueryFields}
 * @param path x and y alternating; empty if fewer than two points are given
 */
record PathDistance(int column, List<Double> path) implements RowFeature {
    private static final double MICRO = 1e6;

    PathDistance {
        path = List.copyOf(path);
    }

    /**
     * Parses the numbers in {@code (x1,y1,x2,y2,...)}. Returns an empty list for other texts, so
     * that the outputs have their defaults.
     */
    static List<Double> path(String written) {
        String text = written.strip();
        if (text.length() < 2 || !text.startsWith("(") || !text.endsWith(")")) {
            return List.of();
        }
        var numbers = new ArrayList<Double>();
        for (String each : text.substring(1, text.length() - 1).split(",", -1)) {
            try {
                numbers.add(Double.parseDouble(each.strip()));
            } catch (NumberFormatException _) {
                return List.of();
            }
        }
        return numbers.size() % 2 == 0 && numbers.size() >= 4 ? numbers : List.of();
    }

    @Override
    public int outputCount() {
        return PathOutput.values().length;
    }

    @Override
    public Computation computation(DocumentTerms terms) {
        double[] points = path.stream().mapToDouble(Double::doubleValue).toArray();
        double whole = 0;
        for (int at = 2; at < points.length; at += 2) {
            whole += Math.hypot(points[at] - points[at - 2], points[at + 1] - points[at - 1]);
        }
        double length = whole;
        return (row, outputs) -> {
            outputs[PathOutput.DISTANCE.place()] = GeoDistance.UNKNOWN;
            outputs[PathOutput.TRAVELED.place()] = 1;
            outputs[PathOutput.PRODUCT.place()] = 0;
            Column places = terms.scan().column(column).orElse(null);
            if (places != null) {
                GeoDistance.forEach(
                        places,
                        row,
                        (_, latitude, longitude) ->
                                compare(
                                        points,
                                        length,
                                        longitude * MICRO,
                                        latitude * MICRO,
                                        outputs));
            }
        };
    }

    private static void compare(double[] points, double whole, double x, double y, double[] into) {
        double before = 0;
        for (int at = 2; at < points.length; at += 2) {
            double dx = points[at] - points[at - 2];
            double dy = points[at + 1] - points[at - 1];
            double length = Math.hypot(dx, dy);
            double part =
                    length == 0
                            ? 0
                            : Math.clamp(
                                    ((x - points[at - 2]) * dx + (y - points[at - 1]) * dy)
                                            / (length * length),
                                    0.0,
                                    1.0);
            double awayX = x - (points[at - 2] + part * dx);
            double awayY = y - (points[at - 1] + part * dy);
            double distance = Math.hypot(awayX, awayY);
            if (distance < into[PathOutput.DISTANCE.place()]) {
                into[PathOutput.DISTANCE.place()] = distance;
                into[PathOutput.TRAVELED.place()] =
                        whole == 0 ? 0 : (before + part * length) / whole;
                into[PathOutput.PRODUCT.place()] = dy * awayX - dx * awayY;
            }
            before += length;
        }
    }
}
