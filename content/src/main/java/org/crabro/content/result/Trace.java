package org.crabro.content.result;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Lines about a search for people, each with the time since it began; none unless asked for. */
final class Trace {
    private final boolean on;
    private final LongSupplier nanoTime;
    private final long start;
    private final List<String> lines = new ArrayList<>();

    Trace(int level, LongSupplier nanoTime) {
        this.on = level >= 1;
        this.nanoTime = nanoTime;
        this.start = nanoTime.getAsLong();
    }

    /** Adds a line, which is made only where it is wanted. */
    void add(Supplier<String> line) {
        if (on) {
            long micros = (nanoTime.getAsLong() - start) / 1_000;
            lines.add("after " + micros + " us: " + line.get());
        }
    }

    List<String> lines() {
        return lines;
    }
}
