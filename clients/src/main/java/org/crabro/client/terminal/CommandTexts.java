package org.crabro.client.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;

/** The texts of commands and options, without the marks of picocli. */
final class CommandTexts {
    private CommandTexts() {}

    /** Returns texts with the signs that picocli's formats stand for. */
    static List<String> of(String... given) {
        return Stream.of(given)
                .map(text -> Ansi.OFF.string(text.replace("%n", "\n").replace("%%", "%")))
                .toList();
    }

    /** Returns the description of an option or an argument on one line, with its default value. */
    static String description(ArgSpec argument) {
        String text = String.join(" ", of(argument.description()));
        String value = argument.defaultValueString(true);
        String completed = text.replace("${DEFAULT-VALUE}", value == null ? "" : value);
        Iterable<String> candidates = argument.completionCandidates();
        if (candidates == null) {
            return completed;
        }
        return completed.replace("${COMPLETION-CANDIDATES}", String.join(", ", all(candidates)));
    }

    private static List<String> all(Iterable<String> candidates) {
        var all = new ArrayList<String>();
        candidates.forEach(all::add);
        return all;
    }
}
