package org.crabro.perf.scoreboard;

import java.util.Locale;

/** The name of a machine in file names, made from the model of its processor. */
final class ResultsName {
    private static final int MAX_LENGTH = 60;

    private ResultsName() {}

    /** Returns a name with the cores of this machine. */
    static String of(String processor) {
        return of(processor, Runtime.getRuntime().availableProcessors());
    }

    /** Returns a name such as {@code amd-epyc-2-cores}: letters, digits and hyphens. */
    static String of(String processor, int cores) {
        String words =
                processor
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("\\((r|tm)\\)", " ")
                        .replaceAll("@.*", " ")
                        .replaceAll("\\b(cpu|processor|\\d+-core)\\b", " ")
                        .replaceAll("[^a-z0-9]+", "-")
                        .replaceAll("^-+|-+$", "");
        String name = words.length() > MAX_LENGTH ? words.substring(0, MAX_LENGTH) : words;
        return "%s-%d-core%s"
                .formatted(name.isEmpty() ? "unknown" : name, cores, cores == 1 ? "" : "s");
    }
}
