package org.crabro.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.crabro.container.admin.LogRing;
import org.crabro.content.storage.os.PrivateDirectory;

/**
 * Where logs go: warnings to the terminal, everything from INFO on to {@code crabro.log}, requests
 * to {@code access.log}, once a second; files of 20 MB, five of each.
 *
 * @param loggers kept from being collected, and with them their handlers
 */
record Logging(List<Logger> loggers) {
    private static final int FILE_BYTES = 20_000_000;
    private static final int FILES = 5;

    /** Lines of requests wait for others so long at most. */
    private static final Duration WRITTEN_EACH = Duration.ofSeconds(1);

    /** Sends all logs of this process to {@code directory} and to {@code recent} from now on. */
    static Logging start(Path directory, LogRing recent) throws IOException {
        PrivateDirectory.make(directory);
        LogManager.getLogManager().reset();
        Logger root = Logger.getLogger("");
        var terminal = new ConsoleHandler();
        terminal.setLevel(Level.WARNING);
        terminal.setFormatter(new LineFormatter());
        root.addHandler(terminal);
        root.addHandler(
                new LogFile(
                        directory.resolve("crabro.%g.log").toString(),
                        FILE_BYTES,
                        FILES,
                        new LineFormatter()));
        root.addHandler(new LogRingHandler(recent));
        Logger access = Logger.getLogger("access");
        access.setUseParentHandlers(false);
        var requests =
                new GatheredFileHandler(
                        directory.resolve("access.%g.log").toString(),
                        FILE_BYTES,
                        FILES,
                        new MessageFormatter());
        access.addHandler(requests);
        Thread.ofPlatform().daemon().name("access-log").start(() -> writeNowAndThen(requests));
        // Replies report failures of connections to content nodes.
        Logger connections = Logger.getLogger("io.grpc.netty");
        connections.setLevel(Level.SEVERE);
        // Elections and followers that are behind are shown by the status of the cluster.
        Logger replication = Logger.getLogger("org.apache.ratis");
        replication.setLevel(Level.SEVERE);
        LateClosingLogs.keep();
        return new Logging(List.of(root, access, connections, replication));
    }

    /** Writes and closes all logs. */
    void close() {
        LateClosingLogs.end();
    }

    private static void writeNowAndThen(GatheredFileHandler requests) {
        try {
            while (true) {
                Thread.sleep(WRITTEN_EACH);
                requests.write();
            }
        } catch (InterruptedException _) {
            // Buffered lines are written when the handler is closed.
            Thread.currentThread().interrupt();
        }
    }

    /** {@code 2026-01-31T12:00:00.123Z WARNING logger: message}, then the stack trace if any. */
    private static final class LineFormatter extends Formatter {
        @Override
        public String format(LogRecord line) {
            var text = new StringWriter();
            var out = new PrintWriter(text);
            out.printf(
                    "%s %s %s: %s%n",
                    line.getInstant(), line.getLevel(), line.getLoggerName(), formatMessage(line));
            Throwable thrown = line.getThrown();
            if (thrown != null) {
                thrown.printStackTrace(out);
            }
            return text.toString();
        }
    }

    /** The message alone: the access log has its own form. */
    private static final class MessageFormatter extends Formatter {
        @Override
        public String format(LogRecord line) {
            return formatMessage(line) + "\n";
        }
    }
}
