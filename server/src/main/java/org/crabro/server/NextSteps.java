package org.crabro.server;

import java.io.PrintWriter;
import java.util.List;

/** What {@code crabro} without arguments prints: what to do next. */
final class NextSteps {
    private static final List<String> LINES =
            List.of(
                    "Crabro %s stores documents and searches them.",
                    "",
                    "  crabro import notes/      make a directory, a mailbox or a table searchable",
                    "  crabro query coffee       search it; --help has more",
                    "  crabro open               the web console in your browser",
                    "  crabro status             what is stored, and whether the server runs",
                    "  crabro stop               stop the server",
                    "  crabro demo               see it with documents of ours",
                    "",
                    "'crabro --help' lists all commands, 'crabro man COMMAND' explains one.");

    private NextSteps() {}

    static void print(PrintWriter out) {
        LINES.forEach(line -> out.println(line.formatted(Version.text())));
        out.flush();
    }
}
