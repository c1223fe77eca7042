package org.crabro.perf.scoreboard;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.Measured;

/** The processor time of a query by the vectors of its user, for each program. */
final class Scaling {
    private static final Pattern TASK = Pattern.compile("nearest of ([0-9,]+) vectors");
    private static final String CAPACITY = "../capacity.md";

    private final Map<String, List<CostFit.Point>> points = new LinkedHashMap<>();

    /** Collects the points of programs that have three sizes or more. */
    Scaling(List<Measured> measured) {
        for (Measured each : measured) {
            Matcher task = TASK.matcher(each.task());
            if (task.matches() && each.cost().cpuMillis().filter(ms -> ms > 0).isPresent()) {
                points.computeIfAbsent(each.program(), _ -> new ArrayList<>())
                        .add(
                                new CostFit.Point(
                                        Double.parseDouble(task.group(1).replace(",", "")),
                                        each.cost().cpuMillis().get()));
            }
        }
        points.values().removeIf(each -> each.size() < 3);
    }

    boolean isEmpty() {
        return points.isEmpty();
    }

    /** Returns lines with the fits of all programs, the lowest cost of a vector first. */
    List<String> lines() {
        var lines = new ArrayList<String>();
        lines.add(
                "The line is a fixed cost and a cost for each vector, fitted to the processor time of a query. The [capacity model](%s) has both as constants."
                        .formatted(CAPACITY));
        lines.add("");
        lines.add("| program | fixed, ms | 1,000 vectors, ms | largest error |");
        lines.add("|---|---|---|---|");
        points.entrySet().stream()
                .sorted(Comparator.comparingDouble(each -> CostFit.of(each.getValue()).each()))
                .forEach(each -> {
                    CostFit fit = CostFit.of(each.getValue());
                    lines.add(
                            "| %s | %s | %s | %.0f %% |"
                                    .formatted(
                                            each.getKey(),
                                            Figures.number(fit.fixed()),
                                            thousand(fit),
                                            100 * fit.largestError(each.getValue())));
                });
        return lines;
    }

    private static String thousand(CostFit fit) {
        return String.format(Locale.ROOT, "%.4f", 1_000 * fit.each());
    }

    String svg() {
        return ScalingPlot.of("Processor time of a query, ms", "vectors of the user", points);
    }
}
