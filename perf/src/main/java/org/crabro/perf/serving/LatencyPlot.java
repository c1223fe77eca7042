package org.crabro.perf.serving;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Draws figures by the number of clients as SVG, both axes logarithmic. */
final class LatencyPlot {
    private static final int WIDTH = 560;
    private static final int HEIGHT = 320;
    private static final int LEFT = 70;
    private static final int TOP = 30;
    private static final int BOTTOM = 40;
    private static final int RIGHT = 170;
    private static final List<String> COLORS =
            List.of("#c0392b", "#e67e22", "#2980b9", "#27ae60", "#8e44ad");

    private final StringBuilder svg = new StringBuilder();
    private final double xMax;
    private double yMin = Double.POSITIVE_INFINITY;
    private double yMax;

    private LatencyPlot(
            Map<String, List<ServingLoad.Result>> series,
            ToDoubleFunction<ServingLoad.Result> figure) {
        xMax =
                series.values().stream()
                        .flatMap(List::stream)
                        .mapToInt(ServingLoad.Result::clients)
                        .max()
                        .orElse(1);
        series.values().stream()
                .flatMap(List::stream)
                .mapToDouble(figure)
                .forEach(value -> {
                    yMin = Math.min(yMin, value);
                    yMax = Math.max(yMax, value);
                });
    }

    /**
     * Returns a drawing.
     *
     * @param series the results of each variant, by its name
     * @param figure above 0
     */
    static String of(
            String title,
            Map<String, List<ServingLoad.Result>> series,
            ToDoubleFunction<ServingLoad.Result> figure) {
        var plot = new LatencyPlot(series, figure);
        plot.begin(title);
        plot.axes();
        int number = 0;
        for (Map.Entry<String, List<ServingLoad.Result>> each : series.entrySet()) {
            plot.line(
                    each.getKey(),
                    COLORS.get(number % COLORS.size()),
                    number,
                    each.getValue(),
                    figure);
            number++;
        }
        plot.svg.append("</svg>\n");
        return plot.svg.toString();
    }

    private void begin(String title) {
        svg.append(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
                        .formatted(LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM));
        text(LEFT, TOP - 12, "start", title);
        text(LEFT + WIDTH / 2, TOP + HEIGHT + 34, "middle", "clients");
    }

    private void axes() {
        svg.append(
                "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"black\"/>\n"
                        .formatted(LEFT, TOP, TOP + HEIGHT, LEFT + WIDTH));
        for (int clients = 1; clients <= xMax; clients *= 2) {
            text(x(clients), TOP + HEIGHT + 16, "middle", Integer.toString(clients));
        }
        for (double step = Math.pow(10, Math.floor(Math.log10(yMin))); step <= yMax; step *= 10) {
            for (int digit : new int[] {1, 2, 5}) {
                double value = step * digit;
                if (value >= yMin && value <= yMax) {
                    svg.append(
                            "<path d=\"M%d %dH%d\" stroke=\"#ddd\"/>\n"
                                    .formatted(LEFT, y(value), LEFT + WIDTH));
                    text(LEFT - 6, y(value) + 4, "end", "%s".formatted(number(value)));
                }
            }
        }
    }

    private static String number(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, "%.2f", value);
    }

    private void line(
            String name,
            String color,
            int number,
            List<ServingLoad.Result> results,
            ToDoubleFunction<ServingLoad.Result> figure) {
        var points = new StringBuilder();
        for (ServingLoad.Result result : results) {
            points.append(x(result.clients()))
                    .append(',')
                    .append(y(figure.applyAsDouble(result)))
                    .append(' ');
        }
        svg.append(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n"
                        .formatted(points.toString().strip(), color));
        int y = TOP + 14 + 18 * number;
        svg.append(
                "<path d=\"M%d %dh18\" stroke=\"%s\" stroke-width=\"2\"/>\n"
                        .formatted(LEFT + WIDTH + 14, y - 4, color));
        text(LEFT + WIDTH + 38, y, "start", name);
    }

    private void text(int x, int y, String anchor, String text) {
        svg.append(
                "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>\n"
                        .formatted(x, y, anchor, text.replace("&", "&amp;").replace("<", "&lt;")));
    }

    private int x(double clients) {
        return LEFT + (int) (xMax == 1 ? 0 : WIDTH * Math.log(clients) / Math.log(xMax));
    }

    private int y(double value) {
        double share = yMax == yMin ? 0.5 : Math.log(value / yMin) / Math.log(yMax / yMin);
        return TOP + (int) (HEIGHT * (1 - share));
    }
}
