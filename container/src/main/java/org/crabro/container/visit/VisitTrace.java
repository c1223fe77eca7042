package org.crabro.container.visit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import tools.jackson.core.JsonGenerator;

/** The steps of a request with their times, if it asks for a trace. */
final class VisitTrace {
    /** A visit of many pages traces the first ones. */
    private static final int LINES_MAX = 1_000;

    private final boolean isShown;
    private final long startNanos;
    private final List<String> lines = new ArrayList<>();

    /**
     * @param startNanos arrival of the request, on the scale of {@link System#nanoTime()}
     */
    VisitTrace(boolean isShown, long startNanos) {
        this.isShown = isShown;
        this.startNanos = startNanos;
    }

    boolean isShown() {
        return isShown;
    }

    /** Adds a step; calls {@code what} only if the trace is shown. Safe for use by many threads. */
    synchronized void note(Supplier<String> what) {
        if (isShown && lines.size() < LINES_MAX) {
            lines.add("%.3f ms: %s".formatted((System.nanoTime() - startNanos) / 1e6, what.get()));
        }
    }

    /** Writes the steps as an array. */
    synchronized void write(JsonGenerator json) {
        json.writeStartArray();
        for (String line : lines) {
            json.writeStartObject();
            json.writeStringProperty("message", line);
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
