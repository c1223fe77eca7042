package org.crabro.perf.harness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The measurements, round by round. */
public final class Figures {
    private record Row(String unit, List<Double> values) {}

    private final Map<String, Row> rows = new LinkedHashMap<>();

    /**
     * Adds the value of one round.
     *
     * @param what describes the measurement; the same text in each round
     * @param unit such as {@code GB/s}; may be empty for a ratio
     */
    public void add(String what, String unit, double value) {
        rows.computeIfAbsent(what, _ -> new Row(unit, new ArrayList<>())).values.add(value);
    }

    /** Returns the median of each figure, in the order in which they came. */
    List<Figure> medians() {
        return rows.entrySet().stream()
                .map(entry ->
                        new Figure(
                                entry.getKey(),
                                entry.getValue().unit,
                                median(entry.getValue().values.stream().sorted().toList())))
                .toList();
    }

    /** Returns a line per figure with the median and the smallest and largest value. */
    public List<String> lines() {
        var lines = new ArrayList<String>();
        lines.add("%-66s %12s   %s".formatted("", "median", "smallest to largest"));
        for (Map.Entry<String, Row> entry : rows.entrySet()) {
            List<Double> sorted = entry.getValue().values.stream().sorted().toList();
            String spread = number(sorted.getFirst()) + " to " + number(sorted.getLast());
            lines.add(
                    "%-66s %12s   %s %s"
                            .formatted(
                                    entry.getKey(),
                                    number(median(sorted)),
                                    spread,
                                    entry.getValue().unit)
                            .stripTrailing());
        }
        return lines;
    }

    public static double median(List<Double> sorted) {
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1
                ? sorted.get(middle)
                : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** Three digits that count, without exponents. */
    public static String number(double value) {
        double size = Math.abs(value);
        int decimals = size >= 100 ? 0 : size >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
