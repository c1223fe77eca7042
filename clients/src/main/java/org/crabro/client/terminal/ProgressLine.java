package org.crabro.client.terminal;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.DoubleSupplier;

/**
 * Shows how far long work has come, on one line of a terminal that is written again; on anything
 * else nothing. Thread-safe.
 */
public final class ProgressLine implements AutoCloseable {
    private static final long EVERY_NANOS = Duration.ofMillis(200).toNanos();
    private static final String CLEAR = "\r\u001b[K";

    private final PrintWriter err;
    private final boolean isShown;
    private final String unit;
    private final DoubleSupplier fraction;
    private final long beginNanos = System.nanoTime();

    // Guarded by this.
    private long shownNanos = beginNanos;
    private boolean isWritten;

    /**
     * @param unit what is counted, such as {@code documents}
     * @param fraction returns how much is done, 0 to 1; negative if it is not known
     */
    public ProgressLine(PrintWriter err, boolean isShown, String unit, DoubleSupplier fraction) {
        this.err = err;
        this.isShown = isShown;
        this.unit = unit;
        this.fraction = fraction;
    }

    /** Shows these counts, unless others were shown a moment ago. */
    public void show(long done, long errors) {
        if (!isShown) {
            return;
        }
        synchronized (this) {
            long now = System.nanoTime();
            if (now - shownNanos < EVERY_NANOS) {
                return;
            }
            shownNanos = now;
            isWritten = true;
            double part = fraction.getAsDouble();
            err.print(
                    CLEAR
                            + text(
                                    new Counts(done, errors, unit),
                                    (now - beginNanos) / 1e9,
                                    part < 0 ? OptionalDouble.empty() : OptionalDouble.of(part)));
            err.flush();
        }
    }

    /** What is done so far. */
    record Counts(long done, long errors, String unit) {}

    /** Returns the text of the line. */
    static String text(Counts counts, double seconds, OptionalDouble fraction) {
        var text = new StringBuilder();
        text.append(
                String.format(
                        Locale.ROOT,
                        "%,d %s, %,.0f/s",
                        counts.done(),
                        counts.unit(),
                        seconds > 0 ? counts.done() / seconds : 0.0));
        if (counts.errors() > 0) {
            text.append(String.format(Locale.ROOT, ", %,d errors", counts.errors()));
        }
        if (fraction.isPresent()) {
            double part = Math.clamp(fraction.getAsDouble(), 0, 1);
            text.append(String.format(Locale.ROOT, ", %.0f %%", Math.floor(part * 100)));
            if (part > 0 && part < 1) {
                text.append(", ").append(time(seconds * (1 - part) / part)).append(" left");
            }
        }
        return text.toString();
    }

    private static String time(double seconds) {
        long whole = Math.round(seconds);
        return whole < 60
                ? whole + " s"
                : whole < 3600
                        ? "%d min %d s".formatted(whole / 60, whole % 60)
                        : "%d h %d min".formatted(whole / 3600, whole % 3600 / 60);
    }

    /** Removes the line. */
    @Override
    public synchronized void close() {
        if (isWritten) {
            err.print(CLEAR);
            err.flush();
        }
    }
}
