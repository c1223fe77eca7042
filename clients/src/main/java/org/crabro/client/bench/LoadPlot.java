package org.crabro.client.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The result of a run as an SVG: latencies by percentile, and rate and latencies over time. Scales
 * of latencies are logarithmic.
 */
public final class LoadPlot {
    private static final int WIDTH = 800;
    private static final int LEFT = 70;
    private static final int RIGHT = 20;
    private static final int PANEL_HEIGHT = 200;
    private static final int PANEL_STEP = 270;
    private static final int TOP = 60;
    private static final int HEIGHT = TOP + 3 * PANEL_STEP;

    /** The percentile scale ends at 99.999. */
    private static final double NINES_MAX = 5;

    private final StringBuilder svg = new StringBuilder();
    private final LoadResult result;

    private LoadPlot(LoadResult result) {
        this.result = result;
    }

    /** A position in a panel, from 0 to 1 in both directions, upwards. */
    private record Position(double x, double y) {}

    /** Returns the SVG. */
    public static String svg(LoadResult result) {
        return new LoadPlot(result).drawn();
    }

    private String drawn() {
        line(
                ("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                                + " viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">")
                        .formatted(WIDTH, HEIGHT, WIDTH, HEIGHT));
        line("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>".formatted(WIDTH, HEIGHT));
        line(
                "<text x=\"%d\" y=\"28\" font-size=\"16\">%s</text>"
                        .formatted(
                                LEFT,
                                String.format(
                                        Locale.ROOT,
                                        "%,d requests, %,.1f/s, %,d failed",
                                        result.counts().answers(),
                                        result.rate(),
                                        result.counts().failures())));
        percentiles();
        rates();
        latenciesOverTime();
        line("</svg>");
        return svg.toString();
    }

    private void percentiles() {
        List<Latencies.Point> curve = result.latencies().curve();
        double least = Math.max(0.001, result.latencies().smallest());
        double most = Math.max(least * 10, result.latencies().largest());
        panel(0, "latency by percentile (ms)");
        logarithmicTicks(0, least, most);
        for (double percent : List.of(0.0, 50.0, 90.0, 99.0, 99.9, 99.99, 99.999)) {
            xTick(0, nines(percent), LoadReport.shown(percent) + " %");
        }
        curve(
                0,
                curve.stream()
                        .map(point ->
                                new Position(
                                        nines(point.percentile()),
                                        logarithmic(point.millis(), least, most)))
                        .toList(),
                "#1f6fb2");
    }

    private void rates() {
        double most = largest(LoadResult.Interval::rate);
        panel(1, "answers per second");
        for (int i = 0; i <= 4; i++) {
            yTick(1, i / 4.0, number(most * i / 4));
        }
        timeTicks(1);
        curve(1, overTime(each -> each.rate() / most), "#2a7f3f");
    }

    private void latenciesOverTime() {
        double least = Math.max(0.001, result.latencies().smallest());
        double most = Math.max(least * 10, largest(LoadResult.Interval::p99));
        panel(2, "latency over time (ms): median blue, 99 % orange");
        logarithmicTicks(2, least, most);
        timeTicks(2);
        curve(2, overTime(each -> logarithmic(each.median(), least, most)), "#1f6fb2");
        curve(2, overTime(each -> logarithmic(each.p99(), least, most)), "#d9730d");
    }

    private double largest(ToDoubleFunction<LoadResult.Interval> value) {
        return Math.max(
                1e-3, result.latencies().intervals().stream().mapToDouble(value).max().orElse(0));
    }

    private List<Position> overTime(ToDoubleFunction<LoadResult.Interval> height) {
        List<LoadResult.Interval> intervals = result.latencies().intervals();
        var points = new ArrayList<Position>();
        for (int i = 0; i < intervals.size(); i++) {
            points.add(
                    new Position(
                            intervals.size() == 1 ? 0 : (double) i / (intervals.size() - 1),
                            height.applyAsDouble(intervals.get(i))));
        }
        return points;
    }

    private void timeTicks(int panel) {
        List<LoadResult.Interval> intervals = result.latencies().intervals();
        double last = intervals.isEmpty() ? 0 : intervals.getLast().from();
        for (int i = 0; i <= 4; i++) {
            xTick(panel, i / 4.0, number(last * i / 4) + " s");
        }
    }

    /** Returns the place of a percentile: each further nine is as wide as the one before. */
    private static double nines(double percent) {
        double remainder = Math.max(Math.pow(10, -NINES_MAX), 1 - percent / 100);
        return -Math.log10(remainder) / NINES_MAX;
    }

    private static double logarithmic(double value, double least, double most) {
        double clamped = Math.clamp(value, least, most);
        return Math.log(clamped / least) / Math.log(most / least);
    }

    private void logarithmicTicks(int panel, double least, double most) {
        for (double value = Math.pow(10, Math.ceil(Math.log10(least)));
                value <= most;
                value *= 10) {
            yTick(panel, logarithmic(value, least, most), number(value));
        }
    }

    private static String number(double value) {
        return String.format(
                Locale.ROOT, value >= 10 ? "%,.0f" : value >= 1 ? "%.1f" : "%.3f", value);
    }

    private static int top(int panel) {
        return TOP + panel * PANEL_STEP + 20;
    }

    private void panel(int panel, String title) {
        line(
                "<text x=\"%d\" y=\"%d\" font-weight=\"bold\">%s</text>"
                        .formatted(LEFT, top(panel) - 10, title));
        line(
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#999\"/>"
                        .formatted(LEFT, top(panel), WIDTH - LEFT - RIGHT, PANEL_HEIGHT));
    }

    private void xTick(int panel, double x, String text) {
        line(
                "<text x=\"%s\" y=\"%d\" text-anchor=\"middle\" fill=\"#555\">%s</text>"
                        .formatted(at(x(x)), top(panel) + PANEL_HEIGHT + 18, text));
    }

    private void yTick(int panel, double y, String text) {
        line(
                "<line x1=\"%d\" x2=\"%d\" y1=\"%s\" y2=\"%s\" stroke=\"#ddd\"/>"
                        .formatted(LEFT, WIDTH - RIGHT, at(y(panel, y)), at(y(panel, y))));
        line(
                "<text x=\"%d\" y=\"%s\" text-anchor=\"end\" fill=\"#555\">%s</text>"
                        .formatted(LEFT - 6, at(y(panel, y) + 4), text));
    }

    private void curve(int panel, List<Position> points, String color) {
        var path = new StringBuilder();
        for (Position point : points) {
            path.append(at(x(point.x()))).append(',').append(at(y(panel, point.y()))).append(' ');
        }
        line(
                "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"%s\"/>"
                        .formatted(color, path.toString().strip()));
    }

    private static double x(double x) {
        return LEFT + Math.clamp(x, 0, 1) * (WIDTH - LEFT - RIGHT);
    }

    private static double y(int panel, double y) {
        return top(panel) + (1 - Math.clamp(y, 0, 1)) * PANEL_HEIGHT;
    }

    /** Returns a coordinate. */
    private static String at(double number) {
        return String.format(Locale.ROOT, "%.1f", number);
    }

    private void line(String element) {
        svg.append(element).append('\n');
    }
}
