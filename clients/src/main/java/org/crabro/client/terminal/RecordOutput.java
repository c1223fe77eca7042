package org.crabro.client.terminal;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;

/** Prints JSON objects in the form that an option names. */
public final class RecordOutput {
    private static final int COLUMNS_LEAST = 100;

    private RecordOutput() {}

    /** Prints a row for each object. JSON has each on a line of its own. */
    public static void print(
            List<? extends JsonNode> rows, OutputFormat format, CommandSpec command) {
        PrintWriter out = command.commandLine().getOut();
        switch (format) {
            case JSON, JSONL -> rows.forEach(out::println);
            case CSV -> RecordLines.csv(rows).forEach(out::println);
            case TABLE -> {
                boolean isColored = command.commandLine().getColorScheme().ansi().enabled();
                int columns = Math.max(COLUMNS_LEAST, TerminalOutput.columns());
                RecordLines.table(rows).lines(columns, isColored).forEach(out::println);
            }
        }
        out.flush();
    }
}
