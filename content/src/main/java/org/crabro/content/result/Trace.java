package org.crabro.content.result;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Lines about a search for people, each with the time since it began; none unless asked for. */
final class Trace {
    /** From which level on conditions count the rows that they keep. */
    static final int CONDITIONS = 2;

    /** From which level on the time of each slice is taken. */
    static final int SLICES = 4;

    private static final double NANOS_PER_MILLI = 1e6;

    private final int level;
    private final LongSupplier nanoTime;
    private final long start;
    private final List<String> lines = new ArrayList<>();

    Trace(int level, LongSupplier nanoTime) {
        this.level = level;
        this.nanoTime = nanoTime;
        this.start = nanoTime.getAsLong();
    }

    /** Returns whether what belongs to a level is told. */
    boolean tells(int asked) {
        return level >= asked;
    }

    /** Adds a line, which is made only where it is wanted. */
    void add(Supplier<String> line) {
        if (tells(1)) {
            lines.add("%s: %s".formatted(millis(nanoTime.getAsLong() - start), line.get()));
        }
    }

    /** Adds lines that belong to the one before. */
    void addDetails(List<String> details) {
        for (String each : details) {
            lines.add("    " + each);
        }
    }

    /** Returns a time as people read it. */
    static String millis(long nanos) {
        return "%.3f ms".formatted(nanos / NANOS_PER_MILLI);
    }

    List<String> lines() {
        return lines;
    }
}
