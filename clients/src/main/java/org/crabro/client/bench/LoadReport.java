package org.crabro.client.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The result of a run as a table for people, and as JSON. */
public final class LoadReport {
    private static final JsonMapper JSON = new JsonMapper();

    private LoadReport() {}

    /** Returns the lines of the table. */
    public static List<String> lines(LoadResult result) {
        var lines = new ArrayList<String>();
        LoadResult.Counts counts = result.counts();
        add(
                lines,
                "requests",
                "%s in %s s, %s, %s"
                        .formatted(
                                count(counts.answers()),
                                String.format(Locale.ROOT, "%.1f", seconds(result)),
                                rate(result.rate()),
                                loop(result.settings())));
        add(lines, "failed", count(counts.failures()));
        add(lines, "without " + result.items().name(), count(counts.empty()));
        add(
                lines,
                result.items().name(),
                "%s, %s"
                        .formatted(
                                count(result.items().count()),
                                rate(result.items().count() / seconds(result))));
        add(lines, "bytes", count(result.items().bytes()));
        if (!result.settings().cycle().isZero()) {
            add(lines, "cycles not kept", count(counts.missedCycles()));
        }
        result.breakdown()
                .statuses()
                .forEach((status, number) ->
                        add(lines, status == 0 ? "no answer" : "status " + status, count(number)));
        result.breakdown()
                .notes()
                .forEach((note, number) -> lines.add("%s: %s".formatted(note, count(number))));
        if (!result.latencies().isEmpty()) {
            lines.add("");
            lines.addAll(latencies(result.latencies()));
        }
        return lines;
    }

    /**
     * Returns a line about a part of a run.
     *
     * @param seconds since the start
     * @param before the counts at the end of the part before
     * @param length of the part, in seconds
     */
    public static String progress(
            long seconds, LoadProgress before, LoadProgress now, double length) {
        return String.format(
                Locale.ROOT,
                "%,d s: %,d requests, %s, %,d failed",
                seconds,
                now.answers(),
                rate((now.answers() - before.answers()) / length),
                now.failures());
    }

    private static List<String> latencies(Latencies latencies) {
        var lines = new ArrayList<String>();
        add(lines, "smallest", millis(latencies.smallest()));
        add(lines, "mean", millis(latencies.mean()));
        for (double percent : Latencies.PERCENTILES) {
            add(lines, shown(percent) + " %", millis(latencies.percentile(percent)));
        }
        add(lines, "largest", millis(latencies.largest()));
        return lines;
    }

    private static void add(List<String> lines, String name, String value) {
        lines.add("%-20s %s".formatted(name, value));
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String rate(double number) {
        return String.format(Locale.ROOT, "%,.1f/s", number);
    }

    private static String millis(double number) {
        return String.format(Locale.ROOT, "%,.3f ms", number);
    }

    private static String loop(LoadSettings settings) {
        String clients = settings.clients() == 1 ? "1 client" : settings.clients() + " clients";
        return settings.rate().isPresent()
                ? "open loop of %s/s, at most %s"
                        .formatted(shown(settings.rate().getAsDouble()), clients)
                : "closed loop of " + clients;
    }

    static String shown(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }

    private static double seconds(LoadResult result) {
        return result.took().toNanos() / 1e9;
    }

    /** Returns an object, in the form that docs/commands.md describes. */
    public static ObjectNode json(LoadResult result) {
        ObjectNode json = JSON.createObjectNode();
        json.put("clients", result.settings().clients());
        result.settings().rate().ifPresent(rate -> json.put("intendedRate", rate));
        json.put("seconds", seconds(result));
        json.put("requests", result.counts().answers());
        json.put("rate", result.rate());
        json.put("failed", result.counts().failures());
        json.put("empty", result.counts().empty());
        json.put("missedCycles", result.counts().missedCycles());
        json.put(result.items().name(), result.items().count());
        json.put("bytes", result.items().bytes());
        ObjectNode statuses = json.putObject("statuses");
        result.breakdown()
                .statuses()
                .forEach((status, count) -> statuses.put(Integer.toString(status), count));
        ObjectNode notes = json.putObject("notes");
        result.breakdown().notes().forEach(notes::put);
        Latencies latencies = result.latencies();
        ObjectNode millis = json.putObject("latencyMillis");
        millis.put("smallest", latencies.smallest());
        millis.put("mean", latencies.mean());
        for (double percent : Latencies.PERCENTILES) {
            millis.put("p" + shown(percent), latencies.percentile(percent));
        }
        millis.put("largest", latencies.largest());
        ArrayNode intervals = json.putArray("intervals");
        for (LoadResult.Interval each : latencies.intervals()) {
            intervals
                    .addObject()
                    .put("from", each.from())
                    .put("rate", each.rate())
                    .put("p50", each.median())
                    .put("p99", each.p99());
        }
        return json;
    }
}
