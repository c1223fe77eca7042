package org.crabro.perf.scoreboard;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Costs by the amount of work as SVG, both axes logarithmic: measured points, and their fits. */
final class ScalingPlot {
    private static final int WIDTH = 560;
    private static final int HEIGHT = 320;
    private static final int LEFT = 70;
    private static final int TOP = 34;
    private static final int RIGHT = 190;
    private static final int BOTTOM = 44;
    private static final int STEPS = 40;
    private static final List<String> COLORS =
            List.of("#d35400", "#2980b9", "#27ae60", "#8e44ad", "#7f8c8d", "#c0392b");

    private final StringBuilder shapes = new StringBuilder();
    private final double minWork;
    private final double maxWork;
    private final double minCost;
    private final double maxCost;

    private ScalingPlot(Map<String, List<CostFit.Point>> series) {
        List<CostFit.Point> all = series.values().stream().flatMap(List::stream).toList();
        minWork = powerOfTen(all.stream().mapToDouble(CostFit.Point::work).min().orElse(1), true);
        maxWork = powerOfTen(all.stream().mapToDouble(CostFit.Point::work).max().orElse(1), false);
        minCost = powerOfTen(all.stream().mapToDouble(CostFit.Point::cost).min().orElse(1), true);
        maxCost = powerOfTen(all.stream().mapToDouble(CostFit.Point::cost).max().orElse(1), false);
    }

    private static double powerOfTen(double value, boolean below) {
        double exponent = Math.log10(value);
        return Math.pow(10, below ? Math.ceil(exponent) - 1 : Math.floor(exponent) + 1);
    }

    /**
     * Returns a drawing.
     *
     * @param work the name of the unit of work
     * @param series the points of each program
     */
    static String of(String title, String work, Map<String, List<CostFit.Point>> series) {
        var plot = new ScalingPlot(series);
        plot.axes();
        int number = 0;
        for (Map.Entry<String, List<CostFit.Point>> each : series.entrySet()) {
            plot.add(each.getKey(), number++, each.getValue());
        }
        plot.text(LEFT, TOP - 14, "start", title);
        plot.text(LEFT + WIDTH / 2, TOP + HEIGHT + 36, "middle", work);
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$d\" height=\"%2$d\" viewBox=\"0 0 %1$d %2$d\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"%1$d\" height=\"%2$d\" fill=\"#ffffff\"/>\n"
                        .formatted(LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM)
                + plot.shapes
                + "</svg>\n";
    }

    private void axes() {
        shapes.append(
                "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#000000\"/>\n"
                        .formatted(LEFT, TOP, TOP + HEIGHT, LEFT + WIDTH));
        for (double work = minWork; work <= maxWork * 1.01; work *= 10) {
            text((int) x(work), TOP + HEIGHT + 18, "middle", "%,.0f".formatted(work));
        }
        for (double cost = minCost; cost <= maxCost * 1.01; cost *= 10) {
            text(
                    LEFT - 6,
                    (int) y(cost) + 4,
                    "end",
                    String.format(Locale.ROOT, "%s", cost < 1 ? cost : Math.rint(cost)));
        }
    }

    private void add(String name, int number, List<CostFit.Point> points) {
        String color = COLORS.get(number % COLORS.size());
        for (CostFit.Point point : points) {
            shapes.append(
                    String.format(
                            Locale.ROOT,
                            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>%n",
                            x(point.work()),
                            y(point.cost()),
                            color));
        }
        CostFit fit = CostFit.of(points);
        var line = new StringBuilder();
        double least = points.stream().mapToDouble(CostFit.Point::work).min().orElse(minWork);
        double most = points.stream().mapToDouble(CostFit.Point::work).max().orElse(maxWork);
        for (int step = 0; step <= STEPS; step++) {
            double work = least * Math.pow(most / least, (double) step / STEPS);
            double cost = Math.clamp(fit.cost(work), minCost, maxCost);
            line.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(work), y(cost)));
        }
        shapes.append(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\"/>\n"
                        .formatted(line.toString().strip(), color));
        int y = TOP + 14 + 18 * number;
        shapes.append(
                "<path d=\"M%d %dh16\" stroke=\"%s\" stroke-width=\"3\"/>\n"
                        .formatted(LEFT + WIDTH + 10, y - 4, color));
        text(LEFT + WIDTH + 32, y, "start", name);
    }

    private void text(int x, int y, String anchor, String text) {
        shapes.append(
                "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>\n"
                        .formatted(x, y, anchor, BarPlot.escaped(text)));
    }

    private double x(double work) {
        return LEFT + WIDTH * Math.log(work / minWork) / Math.log(maxWork / minWork);
    }

    private double y(double cost) {
        return TOP + HEIGHT * (1 - Math.log(cost / minCost) / Math.log(maxCost / minCost));
    }
}
