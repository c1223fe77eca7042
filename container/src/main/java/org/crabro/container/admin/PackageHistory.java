package org.crabro.container.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.crabro.config.application.ApplicationName;
import org.crabro.container.console.ConsoleEvent;
import org.crabro.container.file.DurableFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last {@value #EVENTS_MAX} activations and removals of applications, in a file with a line for
 * each: time, kind, generation and application, with spaces between them. The oldest are dropped
 * first. A line that cannot be read is dropped, too: deployments do not depend on this file.
 */
final class PackageHistory {
    private static final Logger LOG = LoggerFactory.getLogger(PackageHistory.class);

    static final int EVENTS_MAX = 100;

    private final Path file;
    private final InstantSource clock;
    private List<ConsoleEvent> events;

    private PackageHistory(Path file, InstantSource clock, List<ConsoleEvent> events) {
        this.file = file;
        this.clock = clock;
        this.events = events;
    }

    /**
     * Reads the history; it is empty if there is no file.
     *
     * @throws IOException if the file cannot be read
     */
    static PackageHistory open(Path file, InstantSource clock) throws IOException {
        List<ConsoleEvent> events;
        try {
            events =
                    Files.readAllLines(file).stream()
                            .map(PackageHistory::parse)
                            .flatMap(Optional::stream)
                            .toList();
        } catch (NoSuchFileException _) {
            events = List.of();
        }
        return new PackageHistory(file, clock, events);
    }

    private static Optional<ConsoleEvent> parse(String line) {
        String[] words = line.split(" ", -1);
        if (words.length != 4 || !words[2].matches("[0-9]{1,18}")) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new ConsoleEvent(
                            Instant.parse(words[0]), words[1], Long.parseLong(words[2]), words[3]));
        } catch (DateTimeParseException _) {
            return Optional.empty();
        }
    }

    private static String line(ConsoleEvent event) {
        return "%s %s %d %s\n"
                .formatted(event.time(), event.kind(), event.generation(), event.application());
    }

    /** Returns the events, the newest first. */
    synchronized List<ConsoleEvent> newestFirst() {
        return events.reversed();
    }

    /** Records that a generation became active. Logs a failure: the deployment is done already. */
    void activated(long generation, ApplicationName application) {
        add("activated", generation, application);
    }

    /** Records that an application was removed. Logs a failure. */
    void removed(long generation, ApplicationName application) {
        add("removed", generation, application);
    }

    private synchronized void add(String kind, long generation, ApplicationName application) {
        var next = new ArrayList<>(events);
        next.add(new ConsoleEvent(clock.instant(), kind, generation, application.text()));
        events = List.copyOf(next.subList(Math.max(0, next.size() - EVENTS_MAX), next.size()));
        try {
            DurableFiles.replace(
                    file,
                    events.stream()
                            .map(PackageHistory::line)
                            .collect(Collectors.joining())
                            .getBytes(UTF_8));
        } catch (IOException e) {
            LOG.warn("{}: the history of deployments cannot be written", file, e);
        }
    }
}
