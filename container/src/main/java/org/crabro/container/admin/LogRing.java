package org.crabro.container.admin;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;

/**
 * The last log lines of this process, in memory: at most {@value #LINES_MAX} lines and {@value
 * #CHARACTERS_MAX} characters. The oldest are dropped first. Safe for use by many threads.
 */
public final class LogRing {
    static final int LINES_MAX = 10_000;
    static final int CHARACTERS_MAX = 4 << 20;

    /** Characters of one message that are kept. */
    static final int MESSAGE_MAX = 16 << 10;

    private static final long MICROS_PER_SECOND = 1_000_000;

    private final String host;
    private final long process;
    private final ArrayDeque<Line> lines = new ArrayDeque<>();
    private int characters;

    /**
     * A line of the log.
     *
     * @param thread its number
     * @param component the name of the logger
     * @param level one of error, warning, info, config, debug, spam
     */
    public record Line(Instant time, long thread, String component, String level, String message) {}

    /**
     * @param host the name of this machine
     * @param process the number of this process
     */
    public LogRing(String host, long process) {
        this.host = host;
        this.process = process;
    }

    /** Adds {@code line}; a long message is cut. */
    public synchronized void add(Line line) {
        Line stored = line.message().length() > MESSAGE_MAX ? cut(line) : line;
        lines.add(stored);
        characters += stored.message().length();
        while (lines.size() > LINES_MAX || characters > CHARACTERS_MAX) {
            characters -= lines.remove().message().length();
        }
    }

    private static Line cut(Line line) {
        return new Line(
                line.time(),
                line.thread(),
                line.component(),
                line.level(),
                line.message().substring(0, MESSAGE_MAX)
                        + "... (%,d characters more)"
                                .formatted(line.message().length() - MESSAGE_MAX));
    }

    /** Returns the name of the machine. */
    String host() {
        return host;
    }

    /**
     * Returns the lines from {@code fromMillis} to {@code toMillis}, both included, each with time,
     * host, process and thread, service, component, level and message between tabs.
     */
    public synchronized String text(long fromMillis, long toMillis) {
        var text = new StringBuilder();
        for (Line line : lines) {
            long millis = line.time().toEpochMilli();
            if (millis >= fromMillis && millis <= toMillis) {
                append(text, line);
            }
        }
        return text.toString();
    }

    private void append(StringBuilder text, Line line) {
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, line.time());
        text.append(
                        "%d.%06d"
                                .formatted(
                                        Math.floorDiv(micros, MICROS_PER_SECOND),
                                        Math.floorMod(micros, MICROS_PER_SECOND)))
                .append('\t')
                .append(host)
                .append('\t')
                .append(process)
                .append('/')
                .append(line.thread())
                .append("\tcrabro\t")
                .append(escaped(line.component()))
                .append('\t')
                .append(line.level())
                .append('\t')
                .append(escaped(line.message()))
                .append('\n');
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\")
                .replace("\t", "\\t")
                .replace("\r", "\\r")
                .replace("\n", "\\n");
    }
}
