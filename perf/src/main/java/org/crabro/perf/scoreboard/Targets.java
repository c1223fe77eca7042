package org.crabro.perf.scoreboard;

import java.util.Map;
import java.util.Optional;

/** The targets of the project for tasks of the scoreboard. */
final class Targets {
    private static final Map<String, String> TARGETS =
            Map.of(
                    "nearest of 1,000 vectors", "20,000",
                    "word and date in 20,000 mails", "12,000",
                    "feeding vectors as numbers, one request", "105,000",
                    "visiting vectors as numbers, 1 slice", "214 MB/s",
                    "start until the first answer", "0.8 s");

    private Targets() {}

    /** Returns the target of a task, if it has one. */
    static Optional<String> of(String task) {
        return Optional.ofNullable(TARGETS.get(task));
    }
}
