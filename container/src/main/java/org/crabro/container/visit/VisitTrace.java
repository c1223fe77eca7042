package org.crabro.container.visit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import tools.jackson.core.JsonGenerator;

/** What was done for a request, and when, where it asks to be told. */
final class VisitTrace {
    /** A visit of many pages tells of the first ones. */
    private static final int LINES_MAX = 1_000;

    private final boolean isShown;
    private final long startNanos;
    private final List<String> lines = new ArrayList<>();

    /**
     * @param startNanos when the request came, on the scale of {@link System#nanoTime()}
     */
    VisitTrace(boolean isShown, long startNanos) {
        this.isShown = isShown;
        this.startNanos = startNanos;
    }

    boolean isShown() {
        return isShown;
    }

    /** Notes what was done; {@code what} is asked only where it is shown. Any thread may call. */
    synchronized void note(Supplier<String> what) {
        if (isShown && lines.size() < LINES_MAX) {
            lines.add("%.3f ms: %s".formatted((System.nanoTime() - startNanos) / 1e6, what.get()));
        }
    }

    /** Writes the notes as an array. */
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
