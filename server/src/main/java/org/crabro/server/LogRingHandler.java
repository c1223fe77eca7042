package org.crabro.server;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import org.crabro.container.admin.LogRing;
import org.jspecify.annotations.Nullable;

/** Also stores log records in a ring, with stack traces, for the log endpoint. */
final class LogRingHandler extends Handler {
    private final LogRing ring;
    private final Formatter messages = new SimpleFormatter();

    LogRingHandler(LogRing ring) {
        this.ring = ring;
    }

    @Override
    public void publish(LogRecord line) {
        if (!isLoggable(line)) {
            return;
        }
        ring.add(
                new LogRing.Line(
                        line.getInstant(),
                        line.getLongThreadID(),
                        String.valueOf(line.getLoggerName()),
                        word(line.getLevel()),
                        messages.formatMessage(line) + trace(line.getThrown())));
    }

    private static String trace(@Nullable Throwable thrown) {
        if (thrown == null) {
            return "";
        }
        var text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text, true));
        return "\n" + text;
    }

    /** Returns the level as clients of the deploy interface know it. */
    static String word(Level level) {
        int value = level.intValue();
        if (value >= Level.SEVERE.intValue()) {
            return "error";
        }
        if (value >= Level.WARNING.intValue()) {
            return "warning";
        }
        if (value >= Level.INFO.intValue()) {
            return "info";
        }
        if (value >= Level.CONFIG.intValue()) {
            return "config";
        }
        return value >= Level.FINE.intValue() ? "debug" : "spam";
    }

    @Override
    public void flush() {
        // Nothing is buffered.
    }

    @Override
    public void close() {
        // The ring is memory alone.
    }
}
