package org.crabro.container.http;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Writes values in the text format 0.0.4 of Prometheus: a line each, all of one name together.
 *
 * <pre>
 *   http_status_2xx_count{port="8080",} 12 1700000000000
 * </pre>
 */
final class PrometheusText {
    static final String CONTENT_TYPE = "text/plain; version=0.0.4";

    private static final Pattern FORBIDDEN = Pattern.compile("[^a-zA-Z0-9_]");

    private final Map<String, List<String>> lines = new TreeMap<>();

    /** Adds every value of {@code metric}, under its name and suffix. */
    void add(Metric metric, Map<String, String> dimensions, Instant time) {
        metric.values()
                .forEach((suffix, value) ->
                        add(metric.name() + "_" + suffix, dimensions, value, time));
    }

    /**
     * Adds one value. In names, characters other than letters, digits and underscores become
     * underscores.
     */
    void add(String name, Map<String, String> dimensions, double value, Instant time) {
        String sanitised = name(name);
        var line = new StringBuilder(sanitised).append('{');
        dimensions.forEach((key, text) ->
                line.append(name(key)).append("=\"").append(escaped(text)).append("\","));
        line.append("} ").append(Metric.text(value)).append(' ').append(time.toEpochMilli());
        lines.computeIfAbsent(sanitised, _ -> new ArrayList<>()).add(line.toString());
    }

    /** Returns the text, after a line with its type. */
    String text() {
        var text = new StringBuilder("# Crabro, values of the last complete minute\n");
        lines.values().forEach(ofName -> ofName.forEach(line -> text.append(line).append('\n')));
        return text.toString();
    }

    static String name(String name) {
        return FORBIDDEN.matcher(name).replaceAll("_");
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
