package org.crabro.perf.scoreboard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.Measured;
import org.crabro.perf.harness.RunSize;
import org.crabro.perf.harness.ScoreSheet;

/** The page of one machine with all figures of a run, and its plots. */
final class ResultsPage {
    private static final String UNKNOWN = "–";

    private final String machine;
    private final RunSize size;
    private final List<String> description;
    private final double minutes;

    /**
     * @param machine the name of the machine in file names
     * @param description lines about processor, memory and disk
     * @param minutes the time of the run
     */
    ResultsPage(String machine, RunSize size, List<String> description, double minutes) {
        this.machine = machine;
        this.size = size;
        this.description = List.copyOf(description);
        this.minutes = minutes;
    }

    /** Writes {@code results-MACHINE.md} and a plot for each kind of task. */
    void write(Path folder, ScoreSheet scores) throws IOException {
        Files.createDirectories(folder);
        String day = LocalDate.now(ZoneOffset.UTC).toString();
        Files.writeString(folder.resolve("results-%s.md".formatted(machine)), text(scores, day));
        Files.writeString(folder.resolve(plotName()), plot(scores));
        var scaling = new Scaling(scores.measured());
        if (!scaling.isEmpty()) {
            Files.writeString(folder.resolve(scalingName()), scaling.svg());
        }
    }

    private String plotName() {
        return "results-%s.svg".formatted(machine);
    }

    private String scalingName() {
        return "scaling-%s.svg".formatted(machine);
    }

    /** Returns the page. */
    String text(ScoreSheet scores, String day) {
        var lines = new ArrayList<String>();
        lines.add("# Scoreboard of " + machine);
        lines.add("");
        lines.add(
                size.isQuick()
                        ? "`bin/perf --quick` wrote this page on %s, in %.1f minutes. A quick run has small data and short measurements. Its figures show that everything works. They are not results to publish."
                                .formatted(day, minutes)
                        : "`bin/perf` wrote this page on %s, in %.1f minutes. Each figure was measured once."
                                .formatted(day, minutes));
        lines.add("");
        lines.add("```");
        lines.addAll(description);
        lines.add("```");
        lines.add("");
        lines.add("![Rates of all programs](%s)".formatted(plotName()));
        lines.add("");
        lines.add("## Targets");
        lines.add("");
        targets(scores, lines);
        lines.add("");
        lines.add("## Figures");
        lines.add("");
        figures(scores, lines);
        var scaling = new Scaling(scores.measured());
        if (!scaling.isEmpty()) {
            lines.add("");
            lines.add("## Scaling");
            lines.add("");
            lines.add("![Processor time by vectors](%s)".formatted(scalingName()));
            lines.add("");
            lines.addAll(scaling.lines());
        }
        if (!scores.missing().isEmpty()) {
            lines.add("");
            lines.add("## Not measured");
            lines.add("");
            lines.add("| program | task | reason |");
            lines.add("|---|---|---|");
            for (ScoreSheet.Missing each : scores.missing()) {
                lines.add(row(each.program(), each.task(), each.reason()));
            }
        }
        return String.join("\n", lines) + "\n";
    }

    private static void targets(ScoreSheet scores, List<String> lines) {
        lines.add(
                "The target is for full data. The limit is the rate that the machine or a bare loop allows. Other programs are ordered by their rate.");
        lines.add("");
        lines.add("| task | Crabro | target | limit | of the limit | other programs |");
        lines.add("|---|---|---|---|---|---|");
        for (List<Measured> task : byTask(scores).values()) {
            Optional<Measured> own =
                    task.stream()
                            .filter(each -> each.program().equals(Measured.CRABRO))
                            .findFirst();
            if (own.isEmpty()) {
                continue;
            }
            Measured figures = own.get();
            double rate = figures.rate().perSecond();
            String others =
                    task.stream()
                            .filter(each -> !each.program().equals(Measured.CRABRO))
                            .sorted((left, right) ->
                                    Double.compare(
                                            right.rate().perSecond(), left.rate().perSecond()))
                            .map(each ->
                                    each.program() + " " + Figures.number(each.rate().perSecond()))
                            .collect(Collectors.joining("; "));
            lines.add(
                    row(
                            figures.task(),
                            Figures.number(rate) + " " + figures.rate().unit(),
                            Targets.of(figures.task()).orElse(UNKNOWN),
                            figures.limit()
                                    .map(limit ->
                                            limit.name() + ", " + Figures.number(limit.perSecond()))
                                    .orElse(UNKNOWN),
                            figures.limit()
                                    .map(limit -> Figures.number(rate / limit.perSecond()))
                                    .orElse(UNKNOWN),
                            others.isEmpty() ? UNKNOWN : others));
        }
    }

    private static void figures(ScoreSheet scores, List<String> lines) {
        lines.add(
                "CPU is the processor time of an operation. Memory is anonymous. Device is what was read and written during the measurement. Disk is all files, including journals. Programs in process include their client.");
        lines.add("");
        lines.add(
                "| task | program | rate | p50, ms | p99, ms | CPU, ms | memory, MB | device, MB | disk, bytes a document |");
        lines.add("|---|---|---|---|---|---|---|---|---|");
        for (Measured each : scores.measured()) {
            lines.add(
                    row(
                            each.task(),
                            each.program(),
                            Figures.number(each.rate().perSecond()) + " " + each.rate().unit(),
                            each.latency()
                                    .map(latency -> Figures.number(latency.p50Millis()))
                                    .orElse(UNKNOWN),
                            each.latency()
                                    .map(latency -> Figures.number(latency.p99Millis()))
                                    .orElse(UNKNOWN),
                            each.cost().cpuMillis().map(Figures::number).orElse(UNKNOWN),
                            megabytes(each.cost().anonymousBytes()),
                            megabytes(each.cost().deviceBytes()),
                            each.cost().diskBytesPerDoc().map(Figures::number).orElse(UNKNOWN)));
        }
    }

    private static String megabytes(Optional<Double> bytes) {
        return bytes.map(each -> Figures.number(each / 1e6)).orElse(UNKNOWN);
    }

    /** Returns a row of a table. Vertical bars and line ends would end a cell. */
    private static String row(String... cells) {
        return List.of(cells).stream()
                .map(cell -> cell.replace("|", "\\|").replaceAll("\\s+", " "))
                .collect(Collectors.joining(" | ", "| ", " |"));
    }

    private static Map<String, List<Measured>> byTask(ScoreSheet scores) {
        return scores.measured().stream()
                .collect(
                        Collectors.groupingBy(
                                Measured::task, LinkedHashMap::new, Collectors.toList()));
    }

    /** Returns the plot of the tasks that several programs did. */
    private static String plot(ScoreSheet scores) {
        var plot = new BarPlot("Rates of all programs, longer is better");
        byTask(scores)
                .forEach((task, all) -> {
                    if (all.size() > 1) {
                        plot.add(
                                "%s, %s".formatted(task, all.getFirst().rate().unit()),
                                all.stream()
                                        .map(each ->
                                                new BarPlot.Bar(
                                                        each.program(), each.rate().perSecond()))
                                        .toList());
                    }
                });
        return plot.svg();
    }
}
